// Verifies deliveries with the npm package standardwebhooks, which is looked for in
// the folder that is the argument. Reads {secret, headers, body} from standard
// input, one line each, and answers each with "ok" or with why not.
const { createRequire } = require("node:module");
const { createInterface } = require("node:readline");
const path = require("node:path");

const { Webhook } = createRequire(path.join(path.resolve(process.argv[2]), "_"))("standardwebhooks");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { secret, headers, body } = JSON.parse(line);
  try {
    new Webhook(secret).verify(body, headers);
    console.log("ok");
  } catch (error) {
    console.log(error.message);
  }
});
