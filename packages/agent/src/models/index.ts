/** The door of the models room: choosing a model, speaking to it, and what can go wrong. */
export { answerOf, joined } from "./answer.ts";
export { chooseModel, type ModelChoice, type ModelWish } from "./choose.ts";
export { type FakeResponsesOptions, openFakeResponses } from "./fake-responses.ts";
export { proxiesOf, proxyFetch } from "./fetch.ts";
export { newCallId } from "./gemini-words.ts";
export type { CallPart, Chunk, Message, Model, ModelCall, Part, ToolSchema, Usage } from "./model.ts";
export { ModelError, type ModelErrorFacts, type ModelErrorKind } from "./model-error.ts";
export { pause, type RetryPolicy, retryDelay } from "./retry.ts";
export { openScript, type ScriptOptions } from "./script.ts";
export { contextWindowOf } from "./window.ts";
