// Tracks a bill of lading, waits until the carrier has answered, and prints its containers.
//
//   node build/examples/track.js MAEU123456789 MAEU

import { pathToFileURL } from "node:url";
import { landfall, unwrap, type Options } from "../src/index.js";

export async function track(options: Options, number: string, scac: string): Promise<string[]> {
  const client = landfall(options);
  const made = unwrap(
    await client.POST("/tracking_requests", {
      body: { data: { type: "tracking_request", attributes: { request_type: "bill_of_lading", request_number: number, scac } } },
    }),
  );
  for (;;) {
    const request = unwrap(await client.GET("/tracking_requests/{id}", { params: { path: { id: made.data.id } } }));
    const { status, failed_reason: reason } = request.data.attributes;
    if (status === "failed") throw new Error(`${number} cannot be tracked: ${reason}`);
    if (status === "awaiting_manifest") throw new Error(`the carrier does not know ${number} yet; it is asked again`);
    if (status === "created") break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const found = unwrap(await client.GET("/shipments", { params: { query: { number, include: "containers" } } }));
  return (found.included ?? []).flatMap((r) =>
    r.type === "container" ? [`${r.attributes.number}: ${r.attributes.current_status}`] : [],
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const options = { url: process.env.LANDFALL_URL ?? "http://127.0.0.1:8080/v2", key: process.env.LANDFALL_API_KEY ?? "" };
  for (const line of await track(options, process.argv[2] ?? "", process.argv[3] ?? "")) console.log(line);
}
