// A typed client of the interface of Landfall. Paths, parameters, bodies and answers have the
// types of schema.d.ts, which openapi-typescript generates from docs/openapi.json.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type { components, paths };

export interface Options {
  /** URL of the interface, with its prefix: https://tracking.example.com/v2 */
  url: string;
  /** Key of the server: lf_... */
  key: string;
  /** fetch of the program; that of the platform by default. */
  fetch?: typeof globalThis.fetch;
}

export type Landfall = Client<paths>;

/** Returns a client of one server with one key. It sends nothing yet. */
export function landfall({ url, key, fetch }: Options): Landfall {
  return createClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { Authorization: `Token ${key}` },
    // A filter that is given twice is refused: several values are one text with commas.
    querySerializer: { array: { style: "form", explode: false } },
    fetch: fetch && ((request: Request) => fetch(request)),
  });
}

/** The error of a request that the server has refused. */
export class LandfallError extends Error {
  constructor(
    readonly status: number,
    /** The error objects of the answer; source names the parameter or member that was wrong. */
    readonly errors: { code?: string; title?: string; detail?: string; source?: { pointer?: string; parameter?: string } }[],
    /** Seconds to wait before another request, of a 429 or 503. */
    readonly retryAfter?: number,
  ) {
    super(errors.map((e) => e.detail ?? e.title).join("; ") || `status ${status}`);
    this.name = "LandfallError";
  }
}

/** Returns the JSON of an answer, or throws a LandfallError. Texts of other types, such as CSV, need parseAs. */
export function unwrap<T>(answer: { data?: T; error?: unknown; response: Response }): Exclude<T, string> {
  if (answer.error !== undefined || !answer.response.ok) throw errorOf(answer.response, answer.error);
  return answer.data as Exclude<T, string>;
}

function errorOf(response: Response, body: unknown): LandfallError {
  const errors = (body as { errors?: LandfallError["errors"] } | undefined)?.errors ?? [];
  const wait = Number(response.headers.get("Retry-After") ?? NaN);
  return new LandfallError(response.status, errors, Number.isNaN(wait) ? undefined : wait);
}

/** A recorded event: attributes.payload is the body that a webhook gets. */
export type Event = paths["/events/{id}"]["get"]["responses"][200]["content"]["application/json"]["data"];

export interface FollowOptions extends Options {
  /** Cursor of the last event that is known; without it, all events that are kept come first. */
  after?: string;
  /** Names of events; all by default. */
  events?: string[];
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/**
 * Iterates over the events after a cursor, and each further one as it is committed: each once
 * and in order. It connects again for as long as the server is away. A refusal that this does
 * not help against is thrown.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Event> {
  const query = options.events?.length ? `?filter[event]=${encodeURIComponent(options.events.join(","))}` : "";
  const state = { cursor: options.after ?? "", received: false };
  for (let attempt = 0; !options.signal?.aborted; attempt++) {
    let wait = Math.min(1000 * 2 ** Math.min(attempt, 5), 30_000);
    try {
      yield* connection(options, query, state);
      wait = 1000;
    } catch (error) {
      if (options.signal?.aborted) return;
      if (state.received) {
        attempt = 0;
        wait = 1000;
      }
      if (error instanceof LandfallError) {
        if (![429, 502, 503, 504].includes(error.status)) throw error;
        wait = 1000 * (error.retryAfter ?? wait / 1000);
      } else if (error instanceof SyntaxError) {
        throw error;
      }
    }
    await pause(wait / 2 + (Math.random() * wait) / 2, options.signal);
  }
}

/** The server shows every 15 seconds that a stream lives. */
const silence = 45_000;

/** Reads one connection to its end. The cursor moves when the loop asks for the next event. */
async function* connection(options: FollowOptions, query: string, state: { cursor: string; received: boolean }): AsyncGenerator<Event> {
  state.received = false;
  const cut = new AbortController();
  const end = () => cut.abort();
  options.signal?.addEventListener("abort", end);
  let watchdog = setTimeout(end, silence);
  try {
    const headers: Record<string, string> = { Authorization: `Token ${options.key}`, Accept: "text/event-stream" };
    if (state.cursor) headers["Last-Event-ID"] = state.cursor;
    const get = options.fetch ?? globalThis.fetch;
    const response = await get(`${options.url.replace(/\/+$/, "")}/events${query}`, { headers, signal: cut.signal });
    if (!response.ok || !response.body) throw errorOf(response, await response.json().catch(() => undefined));
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of response.body) {
      clearTimeout(watchdog);
      watchdog = setTimeout(end, silence);
      state.received = true;
      text += decoder.decode(bytes, { stream: true });
      for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n")) {
        const block = text.slice(0, at);
        text = text.slice(at + 2);
        const { id, data } = fields(block);
        if (data) yield JSON.parse(data).data as Event;
        if (id) state.cursor = id;
      }
    }
  } finally {
    clearTimeout(watchdog);
    options.signal?.removeEventListener("abort", end);
    cut.abort();
  }
}

function fields(block: string): { id: string; data: string } {
  const found = { id: "", data: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) found.id = line.slice(4);
    if (line.startsWith("data: ")) found.data += line.slice(6);
  }
  return found;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
