// Prints each event of the account as it is committed. A program that stores the cursor with
// what it has done, and begins behind it, misses nothing.
//
//   node build/examples/follow.js [CURSOR]

import { pathToFileURL } from "node:url";
import { followEvents, type FollowOptions } from "../src/index.js";

export async function* lines(options: FollowOptions): AsyncGenerator<string> {
  for await (const { attributes } of followEvents(options)) yield `${attributes.cursor} ${attributes.created_at} ${attributes.event}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const options = { url: process.env.LANDFALL_URL ?? "http://127.0.0.1:8080/v2", key: process.env.LANDFALL_API_KEY ?? "" };
  for await (const line of lines({ ...options, after: process.argv[2] })) console.log(line);
}
