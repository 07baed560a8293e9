// @ts-check
// Icons of the installed console, drawn from its mark: rectangles and one path of straight lines.
import { crc32, deflateSync } from 'node:zlib';

/** A pixel on an edge is looked at so many times in each direction. */
const SAMPLES = 4;

/** So much of an icon a system may cut off: what is drawn on the ground keeps within the rest. */
const SAFE_PART = 0.8;

/**
 * A part of the mark: its colour as 0xRRGGBB, and whether a point is inside of it.
 * @typedef {{ color: number, has: (x: number, y: number) => boolean }} Shape
 */

/**
 * The mark as a PNG with equal sides. A maskable one has its ground up to the edges.
 * @param {string} svg
 * @param {number} size
 * @param {{ isMaskable?: boolean }} [options]
 */
export function iconOf(svg, size, { isMaskable = false } = {}) {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const shapes = [...svg.matchAll(/<(rect|path)\b([^>]*)\/>/g)].map(([, name, attributes = '']) =>
    name === 'rect' ? rectangle(attributes) : polygon(attributes),
  );
  if (!(side > 0) || shapes.length === 0) throw new Error('The mark has shapes that are not known here.');
  const pixels = Buffer.alloc(size * (1 + 4 * size));
  const middle = side / 2;
  const inner = (/** @type {number} */ at) => (isMaskable ? middle + (at - middle) / SAFE_PART : at);
  /** The part that is on top at a place between 0 and `size`; -1 where there is none. */
  const topAt = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [px, py] = [inner((x / size) * side), inner((y / size) * side)];
    return shapes.findLastIndex((shape, at) => (at === 0 && isMaskable) || shape.has(px, py));
  };
  const corners = new Int8Array((size + 1) ** 2);
  for (let y = 0; y <= size; y += 1)
    for (let x = 0; x <= size; x += 1) corners[y * (size + 1) + x] = topAt(x, y);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const corner = y * (size + 1) + x;
      const top = corners[corner] ?? -1;
      const to = y * (1 + 4 * size) + 1 + 4 * x;
      // Only where an edge goes through a pixel is there more to see in it.
      if (
        top === corners[corner + 1] &&
        top === corners[corner + size + 1] &&
        top === corners[corner + size + 2]
      ) {
        const shape = shapes[top];
        if (shape) pixels.writeUInt32BE(shape.color * 256 + 255, to);
      } else pixels.writeUInt32BE(mixed(samplesIn(x, y).map(([sx, sy]) => shapes[topAt(sx, sy)]?.color)), to);
    }
  return png(size, pixels);
}

/** @returns {[number, number][]} */
function samplesIn(/** @type {number} */ x, /** @type {number} */ y) {
  return Array.from({ length: SAMPLES * SAMPLES }, (_, at) => [
    x + ((at % SAMPLES) + 0.5) / SAMPLES,
    y + (Math.floor(at / SAMPLES) + 0.5) / SAMPLES,
  ]);
}

/** @returns {Shape} */
function rectangle(/** @type {string} */ attributes) {
  const [x, y, width, height, round] = ['x', 'y', 'width', 'height', 'rx'].map((name) =>
    numberOf(attributes, name),
  );
  const [right, bottom] = [(x ?? 0) + (width ?? 0), (y ?? 0) + (height ?? 0)];
  const has = (/** @type {number} */ px, /** @type {number} */ py) => {
    if (px < (x ?? 0) || py < (y ?? 0) || px > right || py > bottom) return false;
    const r = round ?? 0;
    const dx = Math.max((x ?? 0) + r - px, px - (right - r), 0);
    const dy = Math.max((y ?? 0) + r - py, py - (bottom - r), 0);
    return dx * dx + dy * dy <= r * r;
  };
  return { color: colorOf(attributes), has };
}

/** @returns {Shape} */
function polygon(/** @type {string} */ attributes) {
  let [x, y] = [0, 0];
  /** @type {[number, number][]} */
  const points = [];
  const path = / d="([^"]*)"/.exec(attributes)?.[1] ?? '';
  for (const [, command, rest = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const values = [...rest.matchAll(/-?[\d.]+/g)].map(Number);
    const [a = 0, b = 0] = values;
    if (command === 'M') [x, y] = [a, b];
    else if (command === 'h') x += a;
    else if (command === 'l') {
      for (let at = 0; at < values.length; at += 2) {
        [x, y] = [x + (values[at] ?? 0), y + (values[at + 1] ?? 0)];
        points.push([x, y]);
      }
      continue;
    } else if (command === 'H') x = a;
    else if (command === 'z') continue;
    else throw new Error(`The mark has a command that is not known here: ${command}`);
    points.push([x, y]);
  }
  const has = (/** @type {number} */ px, /** @type {number} */ py) => {
    let isInside = false;
    for (const [at, [x1, y1]] of points.entries()) {
      const [x2, y2] = points[(at + 1) % points.length] ?? [0, 0];
      if (y1 > py !== y2 > py && px < x1 + ((py - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
    return isInside;
  };
  return { color: colorOf(attributes), has };
}

function numberOf(/** @type {string} */ attributes, /** @type {string} */ name) {
  return Number(new RegExp(` ${name}="([\\d.]+)"`).exec(attributes)?.[1] ?? 0);
}

function colorOf(/** @type {string} */ attributes) {
  const hex = / fill="#([\da-f]+)"/.exec(attributes)?.[1] ?? '000';
  return Number.parseInt(hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex, 16);
}

/** The colour of a pixel of which these colours are seen, as 0xRRGGBBAA. */
function mixed(/** @type {readonly (number | undefined)[]} */ samples) {
  const colors = samples.filter((color) => color !== undefined);
  const mean = (/** @type {number} */ unit) =>
    Math.round(
      colors.reduce((sum, color) => sum + (Math.floor(color / unit) % 256), 0) / (colors.length || 1),
    );
  const alpha = Math.round((255 * colors.length) / samples.length);
  return mean(0x10000) * 0x1000000 + mean(0x100) * 0x10000 + mean(1) * 0x100 + alpha;
}

/** Lines of RGBA, each with its filter byte, as a file. */
function png(/** @type {number} */ size, /** @type {Buffer} */ lines) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(/** @type {string} */ type, /** @type {Buffer} */ data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
