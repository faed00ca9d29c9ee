'use strict';
// The time line, first part: every lane is a canvas over one axis of time, with one cursor and one zoom.
const root = document.documentElement;
const timeline = document.getElementById('timeline');
const data = JSON.parse(document.getElementById('data').textContent);
const NOTHING = 0xffff;
const FULL = 0xfffe;
const NARROW = 560;
const TIGHTEST = 10 * data.window;
// What lasts longer than this part of the time is drawn thin and hollow.
const LASTING = 8;
const view = { from: 0, to: data.seconds, cursor: null, drag: null, scale: 'fitting' };
const charts = [];
let colours = {};
let queued = false;

const significant = (value) => {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
};
const formats = {
  NUMBER: significant,
  RATE: (value) => significant(value) + '/s',
  MICROS: (value) => value >= 1e6 ? significant(value / 1e6) + ' s'
    : value >= 1e3 ? significant(value / 1e3) + ' ms' : significant(value) + ' µs',
  PART: (value) => significant(value * 100) + ' %',
};
const tick = (format, value) => value === 0 ? '0' : format === 'RATE' ? significant(value) : formats[format](value);

function decode(text, top) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const levels = new DataView(bytes.buffer);
  const values = new Float64Array(bytes.length / 2);
  for (let i = 0; i < values.length; i++) {
    const level = levels.getUint16(2 * i, true);
    values[i] = level === NOTHING ? NaN : level / FULL * top;
  }
  return values;
}

function readColours() {
  const style = getComputedStyle(root);
  for (const name of ['ink', 'soft', 'grid', 'faint', 'ground', 'load', 'throughput', 'intended', 'collection',
    'resource', 'fault', 'throttled', 'event', 'stall', 'stall-wash', 'interval']) {
    colours[name] = style.getPropertyValue('--' + name).trim();
  }
  colours.font = '11px ' + style.getPropertyValue('--sans');
}

const gutters = (width) => width < NARROW ? { left: 46, right: 18 } : { left: 60, right: 80 };

class Chart {
  constructor(holder, height, paint) {
    this.holder = holder;
    this.height = height;
    this.paint = paint;
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.canvas.style.height = height + 'px';
    holder.append(this.canvas);
    holder.classList.add('drawn');
    this.canvas.addEventListener('pointerdown', (event) => this.press(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', (event) => this.release(event));
    this.canvas.addEventListener('pointerleave', () => { if (!view.drag && !timeline.contains(document.activeElement)) point(null); });
    this.canvas.addEventListener('dblclick', () => { show(0, data.seconds); remember(); });
  }

  x(seconds) {
    const { left, right } = gutters(this.width);
    return left + (seconds - view.from) / (view.to - view.from) * (this.width - left - right);
  }

  seconds(event) {
    const { left, right } = gutters(this.width);
    const part = (event.offsetX - left) / (this.width - left - right);
    return view.from + Math.min(1, Math.max(0, part)) * (view.to - view.from);
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    view.drag = { from: this.seconds(event), to: this.seconds(event) };
  }

  move(event) {
    const at = this.seconds(event);
    if (view.drag) view.drag.to = at;
    point(at);
  }

  release() {
    const drag = view.drag;
    view.drag = null;
    if (drag && Math.abs(drag.to - drag.from) > (view.to - view.from) / 100) {
      show(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to));
      remember();
    }
    redraw();
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.holder.clientWidth;
    if (this.width === 0) return;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.font = colours.font;
    const { left, right } = gutters(this.width);
    this.left = left;
    this.right = this.width - right;
    this.paint(pen, this);
    if (view.drag) {
      pen.fillStyle = colours.interval;
      pen.fillRect(this.x(view.drag.from), 0, this.x(view.drag.to) - this.x(view.drag.from), this.height);
    }
    if (view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to) {
      line(pen, this.x(view.cursor), 0, this.x(view.cursor), this.height, colours.ink);
    }
  }
}

function line(pen, x1, y1, x2, y2, colour, dashes) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.setLineDash(dashes || []);
  pen.beginPath();
  pen.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  pen.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
  pen.stroke();
  pen.setLineDash([]);
}

function write(pen, text, x, y, colour, align) {
  pen.fillStyle = colour;
  pen.textAlign = align || 'left';
  pen.fillText(text, x, y);
}

function shade(pen, chart, server) {
  pen.fillStyle = colours['stall-wash'];
  for (const [from, to] of data.stalls[server] || []) {
    if (to >= view.from && from <= view.to) {
      const x = Math.max(chart.left, chart.x(from));
      pen.fillRect(x, 0, Math.max(1.5, Math.min(chart.right, chart.x(to)) - x), chart.height);
    }
  }
}

function faults(pen, chart) {
  for (const fault of data.faults) {
    if (fault.from >= view.from && fault.from <= view.to) {
      line(pen, chart.x(fault.from), 0, chart.x(fault.from), chart.height, colours.fault);
    }
  }
}

/** One track: a band between the least and greatest of each pixel, drawn as steps when it is wide enough. */
function trace(pen, chart, track, y, filled) {
  const first = Math.max(0, Math.floor((view.from - track.start) / track.step) - 1);
  const last = Math.min(track.high.length, Math.ceil((view.to - track.start) / track.step) + 1);
  const wide = (chart.right - chart.left) / (view.to - view.from) * track.step;
  let drawing = false;
  let started = 0;
  let reached = 0;
  const path = new Path2D();
  let column = -1;
  let least = 0;
  let most = 0;
  const flush = () => {
    if (column < 0) return;
    to(column + 0.5, y(most));
    if (least < most) path.lineTo(column + 0.5, y(least));
  };
  function to(x, height) {
    if (drawing) {
      path.lineTo(x, height);
    } else {
      path.moveTo(x, height);
      started = x;
    }
    drawing = true;
    reached = x;
  }
  for (let i = first; i < last; i++) {
    const value = track.high[i];
    const x = chart.x(track.start + i * track.step);
    if (Number.isNaN(value)) {
      flush();
      column = -1;
      drawing = false;
    } else if (wide >= 2) {
      to(x, y(value));
      if (track.low && track.low[i] < value) {
        path.lineTo(x + wide / 2, y(value));
        path.lineTo(x + wide / 2, y(track.low[i]));
        path.lineTo(x + wide / 2, y(value));
      }
      to(x + wide, y(value));
    } else {
      const low = track.low ? track.low[i] : value;
      if (Math.floor(x) !== column) {
        flush();
        column = Math.floor(x);
        least = low;
        most = value;
      } else {
        least = Math.min(least, low);
        most = Math.max(most, value);
      }
    }
  }
  flush();
  pen.strokeStyle = colours[track.style];
  pen.lineWidth = 1.3;
  pen.lineJoin = 'round';
  pen.stroke(path);
  if (filled) {
    path.lineTo(reached, y(0));
    path.lineTo(started, y(0));
    pen.globalAlpha = 0.12;
    pen.fillStyle = colours[track.style];
    pen.fill(path);
    pen.globalAlpha = 1;
  }
}

function valueAt(track, seconds) {
  const value = track.high[Math.floor((seconds - track.start) / track.step)];
  return value === undefined ? NaN : value;
}

const isLogarithmic = (lane) => lane.floor > 0 && (view.scale === 'log' || view.scale === 'fitting' && lane.spiked);

/** The part of a lane's height at which a value lies. */
function level(lane, value) {
  const part = isLogarithmic(lane)
    ? Math.log(Math.max(value, lane.floor) / lane.floor) / Math.log(lane.top / lane.floor) : value / lane.top;
  return Math.min(1, part);
}

function ticksOf(lane) {
  if (!isLogarithmic(lane)) return [0, lane.top];
  const ticks = [];
  for (let power = lane.floor; power < lane.top / 4; power *= 10) ticks.push(power);
  return [...ticks, lane.top];
}

function lanePainter(lane) {
  const format = formats[lane.format];
  return (pen, chart) => {
    const bottom = chart.height - 4;
    const y = (value) => bottom - level(lane, value) * (bottom - 8);
    if (lane.server) shade(pen, chart, lane.server);
    for (const value of ticksOf(lane)) {
      line(pen, chart.left, y(value), chart.right, y(value), colours.grid);
      write(pen, tick(lane.format, value), chart.left - 6, y(value) + 4, colours.soft, 'right');
    }
    const mark = lane.mark;
    if (mark) {
      pen.fillStyle = colours.interval;
      pen.fillRect(chart.left, y(mark.high), chart.right - chart.left, y(mark.low) - y(mark.high));
      line(pen, chart.left, y(mark.at), chart.right, y(mark.at), colours.soft, [5, 4]);
    }
    pen.save();
    pen.beginPath();
    pen.rect(chart.left, 0, chart.right - chart.left, chart.height);
    pen.clip();
    lane.lines.forEach((track) => trace(pen, chart, track, y, lane.lines.length === 1 && !isLogarithmic(lane) && !track.high.some(Number.isNaN)));
    faults(pen, chart);
    pen.restore();
    readout(pen, chart, lane, format, y);
  };
}

function readout(pen, chart, lane, format, y) {
  if (chart.width < NARROW) return;
  if (view.cursor === null) {
    if (lane.mark) write(pen, lane.mark.label, chart.right + 6, y(lane.mark.at) + 4, colours.soft);
    return;
  }
  const step = 14;
  lane.lines.forEach((track, i) => {
    const value = valueAt(track, view.cursor);
    write(pen, Number.isNaN(value) ? '–' : format(value), chart.right + 6,
      Math.max(12, chart.height / 2 + (i - (lane.lines.length - 1) / 2) * step + 4), colours[track.style]);
  });
}

function faultsOf(server) {
  return data.faults.filter((f) => f.node === server && f.from >= view.from && f.from <= view.to);
}

function eventPainter(server) {
  return (pen, chart) => {
    shade(pen, chart, server);
    for (const fault of faultsOf(server)) {
      pen.fillStyle = colours.fault;
      pen.globalAlpha = 0.25;
      pen.fillRect(chart.x(fault.from), 2, Math.min(chart.right, chart.x(fault.to)) - chart.x(fault.from), 15);
      pen.globalAlpha = 1;
    }
    for (const event of data.events[server] || []) {
      if (event.to < view.from || event.from > view.to) continue;
      const x = Math.max(chart.left, chart.x(event.from));
      const width = Math.min(chart.right, chart.x(event.to)) - x;
      if (event.to - event.from > data.seconds / LASTING) {
        pen.strokeStyle = colours[event.style];
        pen.lineWidth = 1;
        pen.strokeRect(x + 0.5, 7.5, width - 1, 4);
        continue;
      }
      pen.fillStyle = colours[event.style];
      // Throttling comes ten times a second: a thin line below leaves the rest to be seen.
      const thin = event.style === 'throttled';
      pen.fillRect(x, thin ? 15 : 5, Math.max(1.5, width), thin ? 3 : 9);
      if (width > 22 && !thin) write(pen, event.symbol, x + width / 2, 13, colours.ground, 'center');
    }
    for (const fault of faultsOf(server)) {
      pen.fillStyle = colours.fault;
      pen.fillRect(chart.x(fault.from), 3, 12, 13);
      write(pen, fault.symbol, chart.x(fault.from) + 6, 13, colours.ground, 'center');
    }
    faults(pen, chart);
    if (view.cursor !== null) nameEvent(pen, chart, server);
  };
}

/** Names the shortest event under the cursor, with its cause and its length. */
function nameEvent(pen, chart, server) {
  const margin = 2 * (view.to - view.from) / (chart.right - chart.left);
  const near = (data.events[server] || [])
    .filter((e) => e.from - margin <= view.cursor && e.to + margin >= view.cursor)
    .sort((a, b) => (a.to - a.from) - (b.to - b.from))[0];
  if (!near) return;
  const text = near.symbol + ' ' + near.text + ', ' + formats.MICROS(Math.max(1, (near.to - near.from) * 1e6));
  const width = pen.measureText(text).width + 12;
  const right = chart.x(view.cursor) + 4;
  const x = right + width < chart.width ? right : Math.max(0, chart.x(view.cursor) - 4 - width);
  pen.fillStyle = colours.ground;
  pen.fillRect(x, 1, width, 16);
  pen.strokeStyle = colours[near.style];
  pen.strokeRect(x + 0.5, 1.5, width - 1, 15);
  write(pen, text, x + 6, 13, colours[near.style]);
}

function axisPainter(pen, chart) {
  const span = view.to - view.from;
  const about = (chart.right - chart.left) / 110;
  const raw = span / about;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((s) => s * magnitude).find((s) => s >= raw);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  for (let tick = Math.ceil(view.from / step) * step; tick <= view.to + step * 1e-6; tick += step) {
    line(pen, chart.x(tick), 18, chart.x(tick), 24, colours.soft);
    write(pen, tick.toFixed(digits) + ' s', chart.x(tick), 13, colours.soft, 'center');
  }
  const seen = data.faults.filter((fault) => fault.from >= view.from && fault.from <= view.to);
  for (const fault of seen) line(pen, chart.x(fault.from), 26, chart.x(fault.from), chart.height, colours.fault);
  const free = [0, 0];
  for (const fault of seen) {
    const x = chart.x(fault.from);
    const text = fault.symbol + ' ' + fault.text;
    const start = Math.min(x + 4, chart.width - pen.measureText(text).width);
    const row = free.findIndex((end) => start > end);
    if (row >= 0) {
      pen.fillStyle = colours.ground;
      pen.fillRect(start - 2, 29 + row * 14, pen.measureText(text).width + 4, 13);
      write(pen, text, start, 39 + row * 14, colours.fault);
      free[row] = start + pen.measureText(text).width + 8;
    }
  }
  if (view.cursor !== null) {
    const text = view.cursor.toFixed(3) + ' s';
    const half = pen.measureText(text).width / 2 + 6;
    const x = Math.min(chart.right - half, Math.max(chart.left + half, chart.x(view.cursor)));
    pen.fillStyle = colours.ink;
    pen.fillRect(x - half, 0, 2 * half, 18);
    write(pen, text, x, 13, colours.ground, 'center');
  }
}
