// A page in sight stays up to date: the server says when something of it may have changed, and
// this module gets the page again and takes over what differs. Focus, what is typed, open
// details and the place of reading stay. The page works without it.

const main = document.getElementById("main");
const status = document.getElementById("live");

// The answer of the server that each node shows. Nodes without one were made by other modules,
// and stay as they are.
const sources = new WeakMap();

function note(node, source) {
  sources.set(node, source);
  for (let i = 0; i < node.childNodes.length; i++) note(node.childNodes[i], source.childNodes[i]);
}

const edits = (node) => node.nodeName === "TEXTAREA" || node.nodeName === "INPUT" || node.nodeName === "SELECT";

// isInUse: what a person has typed or chosen, or is about to.
function isInUse(control) {
  if (control === document.activeElement) return true;
  if (control.nodeName === "SELECT") {
    const options = [...control.options];
    // A list without an option that the page selects shows its first one.
    return options.some((o) => o.defaultSelected) || control.multiple ? options.some((o) => o.selected !== o.defaultSelected) : control.selectedIndex > 0;
  }
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.type === "file") return control.files.length > 0;
  return control.type !== "hidden" && control.value !== control.defaultValue;
}

// mustStay: the node has what a person has typed, or the focus.
const mustStay = (node) =>
  node.nodeType === 1 && (node.contains(document.activeElement) || [...node.querySelectorAll("input, select, textarea")].some((c) => c.type !== "checkbox" && isInUse(c)));

// A hidden value belongs to what is typed: a form that was begun is sent with the version that
// it was begun with.
const isHeld = (node) => edits(node) && (isInUse(node) || (node.type === "hidden" && node.form && [...node.form.elements].some((c) => edits(c) && isInUse(c))));

// isOwn: people open details, and other modules show what is hidden without script.
const isOwn = (name) => name === "open" || name === "hidden";

function takeAttributes(node, next) {
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !isOwn(name)) node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) !== value && !isOwn(name)) node.setAttribute(name, value);
  }
}

// take makes a node show what the server says now. It returns whether it could be done.
function take(node, next) {
  const source = sources.get(node);
  if (source && source.isEqualNode(next)) return true;
  if (node.nodeType !== 1) {
    node.data = next.data;
    sources.set(node, next);
    return true;
  }
  if (isHeld(node)) return false;
  if (node !== main) takeAttributes(node, next);
  const whole = takeChildren(node, next);
  if (whole) sources.set(node, next); // else it is tried again with the next change
  return whole;
}

// A form has its fields as members, so form.id may be a field.
const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("id") || node.dataset.key || "" : "");
const isAlike = (node, next) => node.nodeName === next.nodeName && keyOf(node) === keyOf(next);
const isKept = (node) => node.nodeType === 1 && "keep" in node.dataset;
const isOurs = (node) => sources.has(node) && !isKept(node);

function takeChildren(parent, fresh) {
  let whole = true;
  let at = parent.firstChild;
  const skip = () => {
    while (at && !isOurs(at)) at = at.nextSibling;
  };
  const known = new Map();
  for (const child of parent.children) if (keyOf(child)) known.set(keyOf(child), child);
  for (const next of fresh.childNodes) {
    skip();
    if (isKept(next) && [...parent.children].some((child) => isKept(child) && isAlike(child, next))) continue;
    const key = keyOf(next);
    const match = key ? known.get(key) : at;
    known.delete(key); // a second node of the same key is another one
    if (!match || !isAlike(match, next)) {
      const made = document.importNode(next, true);
      note(made, next);
      parent.insertBefore(made, at);
      continue;
    }
    if (match !== at && mustStay(match)) {
      // Moving it would take the focus away, so what is before it goes. It comes back if it has a key.
      while (at && at !== match) {
        const before = at;
        at = at.nextSibling;
        if (isOurs(before) && !mustStay(before)) before.remove();
      }
    } else if (match !== at) {
      parent.insertBefore(match, at);
    }
    if (!take(match, next)) whole = false;
    if (match === at) at = at.nextSibling;
  }
  for (skip(); at; skip()) {
    const gone = at;
    at = at.nextSibling;
    if (mustStay(gone)) whole = false;
    else gone.remove();
  }
  return whole;
}

let asked = false;
let again = false;
let retry;

// tryLater: one attempt for all that fails meanwhile.
function tryLater() {
  clearTimeout(retry);
  retry = setTimeout(() => {
    open();
    update();
  }, 5000);
}

// update gets the page again. A change that comes meanwhile is another update.
function update() {
  if (asked) {
    again = true;
    return;
  }
  asked = true;
  const request = new XMLHttpRequest(); // fetch gives text, which the policy does not let scripts parse
  request.responseType = "document";
  request.timeout = 20000;
  request.open("GET", location.href);
  request.setRequestHeader("Landfall-Background", "1");
  request.onloadend = () => {
    asked = false;
    const fresh = request.response?.getElementById("main");
    if (request.status === 200 && fresh?.dataset.live) {
      take(main, fresh);
      main.dataset.live = fresh.dataset.live;
      document.title = request.response.title;
      say("");
      document.dispatchEvent(new CustomEvent("landfall:update"));
    } else if (request.status === 200) {
      end(); // the form for signing in
    } else if (request.status !== 404) {
      say(status.dataset.lost);
      tryLater();
    }
    if (again) {
      again = false;
      update();
    }
  };
  request.send();
}

let stream;
let watchdog;
let doubt;
let over = false;

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

// alive: the server must say something again in time.
function alive() {
  clearTimeout(watchdog);
  clearTimeout(doubt);
  doubt = undefined;
  watchdog = setTimeout(() => {
    say(status.dataset.lost);
    close();
    open();
  }, 40000);
}

function open() {
  if (stream || over || document.hidden) return;
  stream = new EventSource(main.dataset.live);
  stream.onopen = () => {
    alive();
    say("");
  };
  stream.onerror = () => {
    doubt ??= setTimeout(() => say(status.dataset.lost), 1500);
    if (stream?.readyState === EventSource.CLOSED) {
      close();
      tryLater();
    }
  };
  stream.addEventListener("alive", alive);
  stream.addEventListener("changed", () => {
    alive();
    update();
  });
  stream.addEventListener("ended", end);
}

function close() {
  stream?.close();
  stream = undefined;
  clearTimeout(watchdog);
}

function end() {
  over = true;
  close();
  clearTimeout(doubt);
  say(status.dataset.ended);
}

note(main, main.cloneNode(true));
// A browser has few connections for a server, so only pages in sight keep one.
document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
addEventListener("pagehide", close);
addEventListener("pageshow", open);
open();
