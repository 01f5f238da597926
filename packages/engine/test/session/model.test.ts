import { describe, expect, it } from "vitest";
import { type ChunkCodec, type ModelChange, type ModelRequest, Refused } from "../../src/index.ts";
import { denies, prints, stops, type Watched, watched, workplace } from "./workplace.ts";

interface Chunk {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly note?: string;
}
/** Hooks see text; calls and notes are the host's own. */
const codec: ChunkCodec<Chunk> = {
  read: ({ text, calls }) => (text === undefined && calls === undefined ? undefined : { parts: text === undefined ? [] : [text] }),
  write: (chunk, { parts }) => ({ ...chunk, text: parts.join("") }),
};
const request: ModelRequest = { model: "m", messages: [{ role: "user", content: "key=1" }], config: { temperature: 1, topP: 0.9 } };

function engineOf(hooks: Parameters<ReturnType<typeof workplace>["user"]>[0] = {}): Watched {
  const place = workplace();
  place.user(hooks);
  return watched(place);
}
/** A model that streams these chunks; what it was called with is in `calls`. */
function model(...chunks: readonly Chunk[]): {
  readonly calls: ModelChange[];
  readonly call: (change: ModelChange) => AsyncIterable<Chunk>;
  ended: boolean;
} {
  const found = {
    calls: [] as ModelChange[],
    ended: false,
    async *call(change: ModelChange) {
      found.calls.push(change);
      try {
        yield* chunks;
      } finally {
        found.ended = true;
      }
    },
  };
  return found;
}
/** All that came through, and how it ended. */
async function through(stream: AsyncIterable<Chunk>): Promise<{ readonly chunks: Chunk[]; readonly refused: Refused | undefined }> {
  const chunks: Chunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { chunks, refused: error };
  }
  return { chunks, refused: undefined };
}
const specific = (fields: object): string => prints({ hookSpecificOutput: fields });
const answer = (text: string) => ({ llm_response: { candidates: [{ content: { role: "model", parts: [text] } }] } });

describe("a model call", () => {
  it("passes through where nobody listens, and nothing is built for hooks", async () => {
    const { call, calls } = model({ text: "a" }, { calls: ["x"] });
    let built = 0;
    const build = () => {
      built++;
      return request;
    };
    expect((await through(engineOf().engine.session().model(build, call, codec))).chunks).toEqual([{ text: "a" }, { calls: ["x"] }]);
    expect([calls, built]).toEqual([[{ request: undefined, toolLimit: undefined }], 0]);
  });
  it("is made with what hooks changed, and later hooks see it; the request is built once", async () => {
    const { engine } = engineOf({
      BeforeModel: [specific({ llm_request: { messages: [{ role: "user", content: "key=?" }], config: { temperature: 0 } } })],
      BeforeToolSelection: [
        `cat >"$GEMINI_PROJECT_DIR/selection"; ${specific({ toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } })}`,
      ],
    });
    const seen: ModelRequest[] = [];
    const note = ({ request: asked }: { readonly request: ModelRequest | (() => ModelRequest) }) => {
      seen.push(typeof asked === "function" ? asked() : asked);
      return undefined;
    };
    engine.register("beforeToolSelection", note);
    engine.register("afterModel", note);
    const { call, calls } = model({ text: "a" }, { text: "b" });
    let built = 0;
    await through(
      engine.session().model(
        () => {
          built++;
          return request;
        },
        call,
        codec,
      ),
    );
    expect(calls).toEqual([
      {
        request: { messages: [{ role: "user", content: "key=?", at: 0 }], config: { temperature: 0 } },
        toolLimit: { mode: "any", allowed: ["read_file"] },
      },
    ]);
    const changed = { model: "m", messages: [{ role: "user", content: "key=?" }], config: { temperature: 0, topP: 0.9 } };
    expect(seen).toEqual([changed, changed, changed]);
    expect(built).toBe(1);
  });
  it("is not made where a hook answers in its place; the after-model hooks see that answer", async () => {
    const { engine } = engineOf({ BeforeModel: [specific(answer("from the cache"))], AfterModel: [specific(answer("filtered"))] });
    const { call, calls } = model({ text: "a" });
    expect(await through(engine.session().model(() => request, call, codec))).toEqual({
      chunks: [{ text: "filtered" }],
      refused: undefined,
    });
    expect(calls).toEqual([]);
  });
  it("is not made where a hook blocks it; an answer that comes with the denial is shown first", async () => {
    const { call, calls } = model({ text: "a" });
    const plain = await through(
      engineOf({ BeforeModel: [denies("no")] })
        .engine.session()
        .model(() => request, call, codec),
    );
    expect([plain.chunks, plain.refused?.how, plain.refused?.reason]).toEqual([[], "blocked", "no"]);
    const hooks = {
      BeforeModel: [prints({ decision: "deny", reason: "no", hookSpecificOutput: answer("see the policy") })],
      AfterModel: ["exit 2"],
    };
    const kind = await through(
      engineOf(hooks)
        .engine.session()
        .model(() => request, call, codec),
    );
    expect([kind.chunks, kind.refused?.how, kind.refused?.reason]).toEqual([[{ text: "see the policy" }], "blocked", "no"]);
    expect(calls).toEqual([]);
  });
  it("is not made where a hook stops the loop", async () => {
    const { call, calls } = model({ text: "a" });
    const { chunks, refused } = await through(
      engineOf({ BeforeModel: [stops("enough")] })
        .engine.session()
        .model(() => request, call, codec),
    );
    expect([chunks, refused?.how, refused?.ends, refused?.reason, calls]).toEqual([[], "stopped", "turn", "enough", []]);
  });
  it("that fails, fails as it did", async () => {
    const call = async function* (): AsyncGenerator<Chunk> {
      yield { text: "a" };
      throw new Error("net down");
    };
    await expect(
      through(
        engineOf()
          .engine.session()
          .model(() => request, call, codec),
      ),
    ).rejects.toThrow("net down");
  });
});

describe("the chunks of a stream", () => {
  it("are replaced one by one, with everything that is no text kept", async () => {
    const { engine } = engineOf();
    engine.register("afterModel", ({ response }) => {
      const { parts } = typeof response === "function" ? response() : response;
      return parts.length > 0 ? { response: { parts: [parts.join("").toUpperCase()] } } : undefined;
    });
    const { call } = model({ text: "a", note: "n" }, { note: "unseen" }, { calls: ["x"] }, { text: "b", calls: ["y"] });
    expect((await through(engine.session().model(() => request, call, codec))).chunks).toEqual([
      { text: "A", note: "n" },
      { note: "unseen" },
      { calls: ["x"] },
      { text: "B", calls: ["y"] },
    ]);
  });
  it("end with the one a hook discards, which is not shown, and the model's stream is let go", async () => {
    const { engine } = engineOf();
    engine.register("afterModel", ({ response }) => {
      const { parts } = typeof response === "function" ? response() : response;
      return parts[0] === "bad" ? { ruling: { kind: "deny", reason: "bad word" } } : undefined;
    });
    const stream = model({ text: "good" }, { text: "bad" }, { text: "never" });
    const { chunks, refused } = await through(engine.session().model(() => request, stream.call, codec));
    expect([chunks, refused?.how, refused?.reason, stream.ended]).toEqual([[{ text: "good" }], "blocked", "bad word", true]);
  });
  it("end where a hook stops the loop", async () => {
    const stream = model({ text: "a" }, { text: "b" });
    const { refused } = await through(
      engineOf({ AfterModel: [stops("enough")] })
        .engine.session()
        .model(() => request, stream.call, codec),
    );
    expect([refused?.how, refused?.ends, refused?.reason, stream.ended]).toEqual(["stopped", "turn", "enough", true]);
  });
  it("may be left by the host at any time", async () => {
    const stream = model({ text: "a" }, { text: "b" });
    for await (const chunk of engineOf({ AfterModel: ["true"] })
      .engine.session()
      .model(() => request, stream.call, codec)) {
      expect(chunk).toEqual({ text: "a" });
      break;
    }
    expect(stream.ended).toBe(true);
  });
  it("end at an abort", async () => {
    const controller = new AbortController();
    const { engine } = engineOf({ AfterModel: ["true"] });
    const call = async function* (): AsyncGenerator<Chunk> {
      yield { text: "a" };
      controller.abort();
      yield { text: "b" };
    };
    const { chunks, refused } = await through(engine.session().model(() => request, call, codec, { signal: controller.signal }));
    expect([chunks, refused?.how]).toEqual([[{ text: "a" }], "stopped"]);
  });
});
