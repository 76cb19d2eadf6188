// The flame view: the stacks of all chosen groups merged from their root (or
// from where they wait) downwards. The width of a frame is its count, and its
// colour the state that most of its goroutines are in, the paler the fewer.

const ROW = 20;
const NARROWEST = 0.6; // pixels of a frame that is drawn at all
const KINDS = ['send', 'receive', 'never', 'select', 'lock', 'sync', 'io', 'sleep', 'syscall', 'run',
  'runtime', 'none'];

// One call on the merged stacks, with the groups that go through it. What is
// below it is only merged when it is drawn: of thousands of stacks most are
// narrower than a pixel.
class FlameNode {
  // stacks are of {group, path}; of each path, key stands before depth.
  constructor(parent, key, stacks) {
    this.parent = parent;
    this.key = key; // number of the frame, or the word of a state
    this.frame = report.frames[key];
    this.label = this.frame ? this.frame.short : key;
    this.depth = parent ? parent.depth + 1 : 0;
    this.stacks = stacks;
    this.value = this.before = 0;
    for (const {group} of stacks) {
      this.value += weightNow(group);
      this.before += weightBefore(group);
    }
  }

  get groups() { return this.stacks.map(stack => stack.group); }

  get children() {
    if (this.known) return this.known;
    const parts = new Map();
    for (const stack of this.stacks) {
      const key = stack.path[this.depth];
      if (key === undefined) continue;
      if (parts.has(key)) parts.get(key).push(stack);
      else parts.set(key, [stack]);
    }
    this.known = [...parts].map(([key, stacks]) => new FlameNode(this, key, stacks));
    return this.known;
  }

  // The kind of state that most of it is in, and its part of all.
  get mostKind() {
    if (this.most) return this.most;
    const kinds = new Map();
    let sum = 0, best = 'none', weight = 0;
    for (const {group} of this.stacks) {
      const part = Math.abs(weightNow(group) || weightBefore(group));
      kinds.set(group.kind, (kinds.get(group.kind) || 0) + part);
      sum += part;
    }
    for (const [kind, part] of kinds) if (part > weight) [best, weight] = [kind, part];
    this.most = [best, sum ? weight / sum : 0];
    return this.most;
  }
}

// A group from the root down to the state that it is in, or the other way.
function pathOf(group, fromWait) {
  const path = report.measured ? [...group.stack] : [group.state, ...group.stack];
  return fromWait ? path : path.reverse();
}

const flameTree = (groups, fromWait) => new FlameNode(null, 'all',
  groups.map(group => ({group, path: pathOf(group, fromWait)})));

// What a node is as wide as, in one of the ways to look at a comparison.
const widths = {
  after: node => Math.abs(node.value),
  before: node => Math.abs(node.before),
  change: node => Math.max(Math.abs(node.value), Math.abs(node.before)),
};

class Flame {
  constructor(canvas, tell) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.tell = tell;       // is told which frame is looked at, and zoomed to
    this.mode = 'after';
    this.search = '';
    this.root = flameTree([], false);
    this.zoomed = this.selected = this.root;
    this.rows = [];
    canvas.addEventListener('click', event => this.zoom(this.at(event)));
    canvas.addEventListener('mousemove', event => this.hover(event));
    canvas.addEventListener('mouseleave', () => byId('tip').hidden = true);
    canvas.addEventListener('keydown', event => this.key(event));
    canvas.addEventListener('focus', () => this.draw());
    canvas.addEventListener('blur', () => this.draw());
    new ResizeObserver(() => {
      if (canvas.parentElement.clientWidth !== this.drawnFor) this.draw();
    }).observe(canvas.parentElement);
  }

  show(root) {
    this.root = this.zoomed = this.selected = root;
    this.draw();
  }

  width(node) { return widths[this.mode](node); }

  // The children of a node, the widest first.
  childrenOf(node) {
    if (node.sortedFor !== this.mode) {
      node.sorted = node.children
        .filter(child => this.width(child) > 0)
        .sort((a, b) => this.width(b) - this.width(a) || (a.label < b.label ? -1 : 1));
      node.sortedFor = this.mode;
    }
    return node.sorted;
  }

  // Places the nodes that are wide enough into rows of {node, x, width}.
  layOut(total) {
    const rows = this.rows = [];
    const place = (node, x, width) => {
      (rows[node.depth] = rows[node.depth] || []).push({node, x, width});
      const whole = this.width(node);
      const inner = this.childrenOf(node);
      const sum = Math.max(whole, inner.reduce((all, child) => all + this.width(child), 0));
      for (const [index, child] of inner.entries()) {
        const part = width * this.width(child) / sum;
        if (part < NARROWEST) {
          placeRest(node, inner.slice(index), x, width / sum);
          break;
        }
        place(child, x, part);
        x += part;
      }
    };
    // What is too narrow to be drawn has one box together.
    const placeRest = (node, rest, x, scale) => {
      const width = scale * rest.reduce((all, child) => all + this.width(child), 0);
      const row = rows[node.depth + 1] = rows[node.depth + 1] || [];
      if (width >= NARROWEST) row.push({node, x, width, rest: rest.length});
    };
    for (let node = this.zoomed.parent; node; node = node.parent)
      rows[node.depth] = [{node, x: 0, width: total, isAbove: true}];
    place(this.zoomed, 0, total);
  }

  // The colours of the page; forgotten when the theme changes.
  colours() {
    if (this.known) return this.known;
    const probe = element('i', {});
    const colours = this.known = {};
    document.body.append(probe);
    for (const kind of KINDS) {
      probe.className = 's-' + kind;
      colours[kind] = getComputedStyle(probe).color;
    }
    probe.className = '';
    for (const name of ['ink', 'faint', 'critical', 'ok', 'focus']) {
      probe.style.color = `var(--${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    colours.mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
    return colours;
  }

  recolour() {
    this.known = undefined;
    this.draw();
  }

  // How a node is filled: [colour, opacity].
  fillOf(node) {
    if (this.mode === 'change') {
      const change = node.value - node.before;
      const most = Math.max(Math.abs(node.value), Math.abs(node.before)) || 1;
      if (!change) return ['runtime', 0.35];
      return [change > 0 ? 'critical' : 'ok', 0.15 + 0.35 * Math.min(1, Math.abs(change) / most)];
    }
    if (report.measured) return node.frame && !node.frame.std ? ['io', 1] : ['runtime', 0.6];
    const [kind, part] = node.mostKind;
    return [kind, 0.3 + 0.7 * part];
  }

  matches(node) {
    const text = node.frame ? node.frame.name + ' ' + node.frame.file : node.label;
    return text.toLowerCase().includes(this.search);
  }

  draw() {
    const total = this.canvas.parentElement.clientWidth;
    if (!total) return;
    this.drawnFor = total;
    this.layOut(total);
    const ratio = window.devicePixelRatio || 1;
    const height = Math.max(this.rows.length, 3) * ROW + 1;
    this.canvas.width = Math.round(total * ratio);
    this.canvas.height = Math.min(Math.round(height * ratio), 32000);
    this.canvas.style.height = height + 'px';
    const context = this.context;
    const colours = this.colours();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '12px ' + colours.mono;
    context.textBaseline = 'middle';
    const letter = context.measureText('m').width;
    for (const row of this.rows)
      for (const box of row || []) this.drawBox(context, colours, box, letter);
  }

  drawBox(context, colours, box, letter) {
    if (box.rest) {
      this.drawRest(context, colours, box, letter);
      return;
    }
    const {node, x, width} = box;
    const y = node.depth * ROW;
    const [kind, opacity] = this.fillOf(node);
    const dimmed = this.search !== '' && !this.matches(node);
    const gap = width > 3 ? 1 : 0;
    context.globalAlpha = (node.parent ? opacity : 0.25) * (dimmed || box.isAbove ? 0.35 : 1);
    context.fillStyle = node.parent ? colours[kind] : colours.runtime;
    context.fillRect(x, y, width - gap, ROW - 1);
    context.globalAlpha = 1;
    if (node === this.selected && document.activeElement === this.canvas) {
      context.strokeStyle = colours.focus;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(width - gap - 2, 1), ROW - 3);
    }
    context.fillStyle = colours.ink;
    const label = node.parent ? node.label : `all: ${valueText(this.mode === 'before' ? node.before : node.value)}`;
    this.drawText(context, label, x, y, width, letter);
  }

  drawRest(context, colours, {node, x, width, rest}, letter) {
    const y = (node.depth + 1) * ROW;
    context.globalAlpha = 0.2;
    context.fillStyle = colours.none;
    context.fillRect(x, y, width, ROW - 1);
    context.globalAlpha = 1;
    context.fillStyle = colours.faint;
    this.drawText(context, `${countText(rest)} more`, x, y, width, letter);
  }

  // Text as far as there is room for it.
  drawText(context, text, x, y, width, letter) {
    const room = Math.floor((width - 10) / letter);
    if (room < 3) return;
    context.fillText(text.length > room ? text.slice(0, room - 1) + '\u2026' : text, x + 5, y + ROW / 2);
  }

  // The node under the mouse; of those that are drawn together, the one above.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const row = this.rows[Math.floor((event.clientY - box.top) / ROW)] || [];
    const x = event.clientX - box.left;
    const found = row.find(item => x >= item.x && x < item.x + item.width);
    return found ? found.node : null;
  }

  zoom(node) {
    if (!node) return;
    this.zoomed = node.children.length ? node : node.parent || node;
    this.select(node, true);
  }

  select(node, isZoom) {
    this.selected = node;
    this.draw();
    this.tell(node, isZoom);
    const box = this.canvas.parentElement;
    const y = node.depth * ROW;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW - box.clientHeight;
  }

  hover(event) {
    const tip = byId('tip');
    const node = this.at(event);
    tip.hidden = !node;
    if (!node) return;
    tip.textContent = this.textOf(node);
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18;
    tip.style.left = Math.max(left, 4) + 'px';
    tip.style.top = (below + tip.offsetHeight > innerHeight
      ? event.clientY - tip.offsetHeight - 8 : below) + 'px';
  }

  // "colly.(*httpBackend).Do http_backend.go:172: 97,908 goroutines (99.98 %)"
  textOf(node) {
    const name = node.frame ? `${node.frame.name} ${node.frame.at}` : node.label;
    const whole = this.mode === 'before' ? this.root.before : this.root.value;
    const value = this.mode === 'before' ? node.before : node.value;
    const change = report.compares ? `, before ${valueText(node.before)}` : '';
    return `${name}: ${valueText(value)} (${shareText(value, whole)})${change}`;
  }

  // The neighbour of the selected node in its row, among its siblings.
  sibling(step) {
    const node = this.selected;
    if (!node.parent) return node;
    const all = this.childrenOf(node.parent);
    return all[Math.min(Math.max(all.indexOf(node) + step, 0), all.length - 1)];
  }

  key(event) {
    const node = this.selected;
    const moves = {
      ArrowDown: () => this.childrenOf(node)[0] || node,
      ArrowUp: () => node.parent || node,
      ArrowLeft: () => this.sibling(-1),
      ArrowRight: () => this.sibling(1),
      Home: () => this.root,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) this.select(moves[event.key](), false);
    else if (event.key === 'Enter' || event.key === ' ') this.zoom(node);
    else if (event.key === 'Escape' || event.key === 'Backspace') this.zoom(this.zoomed.parent || this.root);
    else return;
    event.preventDefault();
  }
}
