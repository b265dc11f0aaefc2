// Prints what needs attention: the open exceptions, the most urgent first.
//
//   node build/examples/exceptions.js

import { pathToFileURL } from "node:url";
import { landfall, unwrap, type Options } from "../src/index.js";

export async function openExceptions(options: Options): Promise<string[]> {
  const client = landfall(options);
  const lines: string[] = [];
  for (let page = 1; ; page++) {
    const list = unwrap(
      await client.GET("/exceptions", { params: { query: { "filter[state]": ["open"], sort: ["severity"], "page[number]": page, "page[size]": 100 } } }),
    );
    for (const { attributes } of list.data) lines.push(`${attributes.severity}: ${attributes.kind}, since ${attributes.opened_at}`);
    if (!list.links.next) return lines;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const options = { url: process.env.LANDFALL_URL ?? "http://127.0.0.1:8080/v2", key: process.env.LANDFALL_API_KEY ?? "" };
  for (const line of await openExceptions(options)) console.log(line);
}
