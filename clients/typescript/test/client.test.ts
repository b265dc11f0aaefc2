// The client and its examples against the real server. LANDFALL_BINARY is the program.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { openExceptions } from "../examples/exceptions.js";
import { lines } from "../examples/follow.js";
import { track } from "../examples/track.js";
import { followEvents, landfall, LandfallError, unwrap, type Options } from "../src/index.js";

let server: ChildProcess;
const options: Options = { url: "", key: "" };

before(async () => {
  const program = process.env.LANDFALL_BINARY;
  assert.ok(program, "LANDFALL_BINARY is not set: the path of the program landfall");
  server = spawn(program, ["serve", "--addr", "127.0.0.1:0", "--demo", "--record-events", "--rate-default", "0"], {
    cwd: mkdtempSync(join(tmpdir(), "landfall-")),
    stdio: ["ignore", "pipe", "pipe"],
  });
  server.stderr!.resume();
  for await (const line of createInterface({ input: server.stdout! })) {
    options.url ||= line.match(/^landfall: serving (\S+)/)?.[1] ?? "";
    options.key ||= line.match(/^landfall: API key (\S+)/)?.[1] ?? "";
    if (options.url && options.key) break;
  }
  server.stdout!.resume();
});

after(() => server.kill());

async function report(client: ReturnType<typeof landfall>, number: string): Promise<void> {
  unwrap(
    await client.POST("/reports", {
      body: {
        source: "test",
        facts: [
          {
            id: number, event: "gate_out", at: "2026-03-01T10:00:00Z", place: { locode: "USOAK" }, mode: "truck",
            containers: ["WHLU1234560"], numbers: [{ type: "bill_of_lading", number }],
          },
        ],
      },
    }),
  );
}

test("lists have types, includes and filters of several values", { timeout: 60_000 }, async () => {
  const client = landfall(options);
  await report(client, "TSCLIENT1");
  const list = unwrap(await client.GET("/containers", { params: { query: { "filter[number]": "WHLU1234560,MSCU6639871", include: "shipment" } } }));
  assert.equal(list.meta.total, 1);
  assert.equal(list.data[0]?.attributes.number, "WHLU1234560");
  const shipment = list.included?.find((r) => r.type === "shipment");
  assert.equal(shipment?.type === "shipment" && shipment.attributes.bill_of_lading_number, "TSCLIENT1");
  const open = unwrap(await client.GET("/exceptions", { params: { query: { "filter[severity]": ["high", "medium", "low"] } } }));
  assert.ok(open.meta.total >= 0);
});

test("a refusal names the parameter", { timeout: 60_000 }, async () => {
  const client = landfall(options);
  const answer = await client.GET("/events", { params: { query: { after: "x" } } });
  assert.throws(() => unwrap(answer), (error) => error instanceof LandfallError && error.status === 400 && error.errors[0]?.source?.parameter === "after");
  const wrong = landfall({ ...options, key: "lf_wrong" });
  assert.equal((await wrong.GET("/shipments")).response.status, 401);
});

test("the example tracks a number", { timeout: 60_000 }, async () => {
  const found = await track(options, "TEST-VOYAGE-MULTI", "TEST");
  assert.ok(found.length > 0 && found.every((line) => /^[A-Z]{4}\d{7}: /.test(line)), found.join("\n"));
});

test("the example lists what needs attention", { timeout: 60_000 }, async () => {
  const found = await openExceptions(options);
  assert.ok(found.every((line) => /^(high|medium|low): /.test(line)), found.join("\n"));
});

test("events are followed, each once and in order, when connections are cut", { timeout: 60_000 }, async () => {
  const client = landfall(options);
  const begin = unwrap(await client.GET("/events", { params: { query: { "page[size]": 1 } } }));
  const last = new URL(begin.links.last!).searchParams.get("after")!;
  for (let i = 0; i < 5; i++) await report(client, `TSFOLLOW${i}`);
  // Each connection is cut after some more bytes.
  let bytes = 600;
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    let left = (bytes += 3000);
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, to) {
        to.enqueue(chunk.subarray(0, left));
        if ((left -= chunk.length) <= 0) to.error(new TypeError("cut"));
      },
    });
    return new Response(response.body!.pipeThrough(cut), response);
  };
  const stop = new AbortController();
  let next = Number(last) + 1;
  for await (const event of followEvents({ ...options, fetch: cutting, after: last, signal: stop.signal })) {
    assert.equal(event.attributes.cursor, String(next));
    if (++next > Number(last) + 5) break;
  }
  for await (const line of lines({ ...options, after: last, signal: stop.signal })) {
    assert.match(line, new RegExp(`^${Number(last) + 1} \\S+ [a-z_.]+$`));
    break;
  }
  await assert.rejects(async () => {
    for await (const _ of followEvents({ ...options, after: "99999999" })) break;
  }, LandfallError);
});
