// Who created the goroutines: below a function stand the goroutines that it
// started, and below them what functions on their stacks have started in turn.

const ROOTS = 50; // creators that nobody is known to have created

// All creators with their groups, by name: {name, frame, groups, parent}.
function creatorsOf(groups) {
  const creators = new Map();
  for (const group of groups) {
    const frame = createdBy(group);
    const name = frame ? frame.name : '';
    if (!creators.has(name)) creators.set(name, {name, frame, groups: [], children: [], count: 0});
    const creator = creators.get(name);
    creator.groups.push(group);
    creator.count += group.count;
  }
  return creators;
}

// A creator hangs below the one that created most of the goroutines with it on
// their stack, unless that would close a circle.
function linkCreators(creators, groups) {
  const votes = new Map([...creators.keys()].map(name => [name, new Map()]));
  for (const group of groups) {
    const above = createdBy(group);
    if (!above) continue;
    for (const index of new Set(group.stack)) {
      const name = report.frames[index].name;
      const of = name === above.name ? undefined : votes.get(name);
      if (of) of.set(above.name, (of.get(above.name) || 0) + group.count);
    }
  }
  for (const [name, of] of votes) {
    const best = [...of].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
    const parent = best && creators.get(best[0]);
    let up = parent;
    while (up && up.name !== name) up = up.parent;
    if (!parent || up) continue;
    creators.get(name).parent = parent;
    parent.children.push(creators.get(name));
  }
}

// Sets what a creator and all below it have created.
function addUp(creator) {
  creator.total = creator.children.reduce((sum, child) => sum + addUp(child), creator.count);
  creator.children.sort((a, b) => b.total - a.total);
  return creator.total;
}

// Groups of one creator that wait at one place in one state are one line.
function waitLines(groups) {
  const lines = new Map();
  for (const group of groups) {
    const frame = siteOf(group);
    const key = (frame ? frame.name + frame.at : '') + '|' + group.state;
    if (!lines.has(key)) lines.set(key, {frame, group, count: 0});
    lines.get(key).count += group.count;
  }
  return [...lines.values()].sort((a, b) => b.count - a.count);
}

function waitElement(line) {
  return element('li', {}, element('span', {class: 'leaf'},
    element('b', {class: 'num'}, countText(line.count)), dot(line.group.kind),
    `${line.group.state} in `, placeElement(line.frame)));
}

function creatorElement(creator, isOpen) {
  const inner = element('ul', {});
  const details = element('details', isOpen ? {open: ''} : {}, element('summary', {},
    element('b', {class: 'num'}, countText(creator.total)),
    creator.frame ? placeElement(creator.frame)
      : element('span', {class: 'faint'}, 'creator not known')));
  const fill = () => {
    if (inner.childElementCount) return;
    inner.append(...waitLines(creator.groups).map(waitElement),
      ...creator.children.map(child => creatorElement(child, false)));
  };
  details.addEventListener('toggle', fill);
  if (isOpen) fill();
  details.append(inner);
  return element('li', {}, details);
}

// Fills the tree; nothing when the dumps name no creator.
function showCreators(box, groups) {
  const creators = creatorsOf(groups);
  linkCreators(creators, groups);
  const roots = [...creators.values()].filter(creator => !creator.parent);
  roots.forEach(addUp);
  roots.sort((a, b) => b.total - a.total);
  if (!roots.some(root => root.frame)) return false;
  box.replaceChildren(element('ul', {class: 'tree'},
    ...roots.slice(0, ROOTS).map((root, index) => creatorElement(root, index === 0))));
  if (roots.length > ROOTS)
    box.append(element('p', {class: 'faint'}, `${countText(roots.length - ROOTS)} more creators`));
  return true;
}
