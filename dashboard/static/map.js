// Draws the map of a journey. Its stops are on the page as text.
import { geoCentroid, geoMercator, geoPath } from "d3-geo";
import feature from "./vendor/topojson-client/feature.js";
import mesh from "./vendor/topojson-client/mesh.js";

const maxZoom = 64, detailZoom = 3;

const loaded = new Map();
function load(address) {
  if (!loaded.has(address)) loaded.set(address, fetch(address).then(r => r.ok ? r.json() : Promise.reject(new Error(r.statusText))));
  return loaded.get(address);
}

function element(name, attributes, parent) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  parent?.append(e);
  return e;
}

// A leg that was begun is drawn along the lanes to its end. Without positions it is not known how
// much of it was sailed before the ship arrives.
const isActual = ({ properties: p }) => p.feature_type === "past_vessel_locations" && (!p.schematic || p.inbound_ata_at);
const isLine = f => f.geometry?.type === "LineString";
const isPort = f => f.properties.feature_type === "port" && f.geometry;
const isShip = f => f.properties.feature_type === "current_vessel" && f.geometry;

class JourneyMap {
  constructor(figure, world, route) {
    this.figure = figure;
    this.texts = figure.dataset;
    this.countries = feature(world, "countries");
    this.borders = mesh(world, world.objects.countries, (a, b) => a !== b);
    this.land = this.countries;
    this.features = route.features;
    this.zoom = 1;
    this.offset = [0, 0];
    this.svg = element("svg", { role: "img", "aria-label": this.texts.label, class: "world" });
    figure.prepend(this.svg);
    figure.append(this.buttons());
    this.drag();
    new ResizeObserver(() => this.resize()).observe(figure);
    figure.hidden = false;
    this.resize();
  }

  // bounds are what the first view shows.
  get bounds() {
    return { type: "FeatureCollection", features: this.features.filter(f => f.geometry) };
  }

  resize() {
    const width = Math.floor(this.svg.getBoundingClientRect().width || this.figure.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    this.height = Math.round(Math.min(480, Math.max(240, width * .5)));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("height", this.height);
    this.draw();
  }

  // project fits the journey, and then zooms. The middle of the journey is in the middle of the
  // map, so that no way is cut at the antimeridian.
  project() {
    const points = { type: "MultiPoint", coordinates: this.bounds.features.flatMap(f => isLine(f) ? f.geometry.coordinates : [f.geometry.coordinates]) };
    const pad = Math.min(48, this.width / 8);
    const p = geoMercator().rotate([-geoCentroid(points)[0], 0]);
    p.fitExtent([[pad, pad], [this.width - pad, this.height - pad]], points);
    const world = this.width / (2 * Math.PI);
    const scale = Math.min(Math.max(p.scale(), world * .9), world * 40); // a single port has no extent
    const [x, y] = p.translate(), [cx, cy] = [this.width / 2, this.height / 2];
    const grown = scale / p.scale() * this.zoom;
    p.scale(scale * this.zoom).translate([cx + (x - cx) * grown + this.offset[0] * this.zoom, cy + (y - cy) * grown + this.offset[1] * this.zoom]);
    return p.clipExtent([[-8, -8], [this.width + 8, this.height + 8]]);
  }

  draw() {
    const projection = this.project();
    this.path = geoPath(projection);
    const rest = document.createDocumentFragment();
    const shape = (name, object, title) => {
      const d = this.path(object);
      if (!d) return;
      const e = element("path", { class: name, d }, rest);
      if (title) element("title", {}, e).textContent = title;
    };
    element("rect", { class: "sea", width: this.width, height: this.height }, rest);
    shape("land", this.land);
    shape("border", this.borders);
    for (const f of this.features.filter(isLine)) shape(isActual(f) ? "way actual" : "way planned", f, isActual(f) ? this.texts.actual : this.texts.planned);
    this.taken = [];
    for (const f of this.features.filter(isPort)) this.port(f, projection, rest);
    for (const f of this.features.filter(isShip)) this.ship(f, projection, rest);
    this.svg.replaceChildren(rest);
    if (projection.scale() > this.width / (2 * Math.PI) * detailZoom) this.detail();
  }

  // detail replaces the coasts by finer ones.
  detail() {
    if (this.detailed) return;
    this.detailed = true;
    load(this.texts.detail).then(land => { this.land = feature(land, "land"); this.draw(); }, () => {});
  }

  inside([x, y]) { return x >= 0 && y >= 0 && x <= this.width && y <= this.height; }

  port(f, projection, rest) {
    const p = f.properties, at = projection(f.geometry.coordinates);
    if (!at || !this.inside(at)) return;
    const reached = p.inbound_ata_at || p.outbound_atd_at;
    element("circle", { class: reached ? "port actual" : "port planned", cx: at[0], cy: at[1], r: 5 }, rest);
    this.label(p.name || p.label, at, rest);
  }

  ship(f, projection, rest) {
    const p = f.properties, at = projection(f.geometry.coordinates);
    if (!at || !this.inside(at)) return;
    element("path", { class: "ship", d: "M0-9L6 7L0 4L-6 7Z", transform: `translate(${at[0]},${at[1]}) rotate(${p.vessel_location_heading ?? 0})` }, rest);
    this.label(p.vessel_name || "", at, rest);
  }

  // label writes a name where it is on no other.
  label(text, [x, y], rest) {
    const width = text.length * 7 + 8;
    const places = [[x + 9, y + 4, "start"], [x - 9, y + 4, "end"], [x, y - 11, "middle"], [x, y + 20, "middle"]];
    for (const [tx, ty, anchor] of places) {
      const left = anchor === "start" ? tx : anchor === "end" ? tx - width : tx - width / 2;
      const box = [left, ty - 12, left + width, ty + 4];
      if (left < 0 || box[2] > this.width || this.taken.some(b => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) continue;
      this.taken.push(box);
      element("text", { x: tx, y: ty, "text-anchor": anchor }, rest).textContent = text;
      return;
    }
  }

  buttons() {
    const group = document.createElement("div");
    group.className = "map-buttons";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", this.texts.controls);
    const step = .25;
    for (const [sign, name, act] of [
      ["+", "in", () => this.zoomBy(2)], ["−", "out", () => this.zoomBy(.5)],
      ["←", "left", () => this.move(step, 0)], ["→", "right", () => this.move(-step, 0)], ["↑", "up", () => this.move(0, step)], ["↓", "down", () => this.move(0, -step)],
      ["⤢", "fit", () => { this.zoom = 1; this.offset = [0, 0]; this.draw(); }],
    ]) {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = sign;
      b.setAttribute("aria-label", this.texts[name]);
      b.title = this.texts[name];
      b.addEventListener("click", act);
      group.append(b);
    }
    return group;
  }

  zoomBy(factor) {
    this.zoom = Math.min(maxZoom, Math.max(.125, this.zoom * factor));
    this.draw();
  }

  move(x, y) {
    this.offset = [this.offset[0] + x * this.width / this.zoom, this.offset[1] + y * this.height / this.zoom];
    this.draw();
  }

  drag() {
    let from = null;
    this.svg.addEventListener("pointerdown", e => { if (e.pointerType === "mouse" && e.button === 0) { from = [e.clientX, e.clientY]; this.svg.setPointerCapture(e.pointerId); } });
    this.svg.addEventListener("pointermove", e => {
      if (!from) return;
      this.move((e.clientX - from[0]) / this.width, (e.clientY - from[1]) / this.height);
      from = [e.clientX, e.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => { from = null; });
  }
}

for (const figure of document.querySelectorAll("figure[data-route]")) {
  Promise.all([load(figure.dataset.world), load(figure.dataset.route)]).then(([world, route]) => new JourneyMap(figure, world, route), () => {});
}
