/** The door of the sessions room: transcripts on disk, finding and reading them again, and making a long history short. */

export { type Split, shouldCompress, splitForCompression, summaryMessages } from "./compression.ts";
export { type CompressionPrompt, compressionPrompt } from "./compression-prompt.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export type { SessionEvent } from "./event.ts";
export { readTranscript, type StoredSession } from "./read-transcript.ts";
export { listSessions, type ResolvedSession, resolveSession, type SessionSummary } from "./stored-sessions.ts";
export { type OpenedTranscript, openTranscript, type Transcript, type TranscriptOptions, type TranscriptProblem } from "./transcript.ts";
