// Turns one JavaScript module into the same module with every branch and comparison switchable, and the list of those switches.
import { parse } from "acorn";

/** What each comparison is turned into. */
const OTHER = { "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">" };

/**
 * The tests of `if` and `?:` (negated), comparisons (turned round), `&&` and `||` (the other one). `first` is the number of the first switch,
 * `lineOf(offset)` a line of the source. The module means the same as long as no switch is on; `$flip` is a global.
 */
export function switchable(code, first, lineOf) {
  const switches = [];
  const add = (node, what) => {
    const text = code.slice(node.start, node.end).replace(/\s+/g, " ");
    return first + switches.push({ id: first + switches.length, line: lineOf(node.start), what, text }) - 1;
  };
  const print = (node) => {
    if (node.type === "LogicalExpression" && node.operator !== "??") {
      const [name, other] = node.operator === "&&" ? ["and", "||"] : ["or", "&&"];
      return `$flip.${name}(${add(node, `${node.operator} turned into ${other}`)}, ${print(node.left)}, () => (${print(node.right)}))`;
    }
    let text = "";
    let at = node.start;
    for (const child of childrenOf(node)) {
      // A shorthand property is one text and two nodes.
      if (child.start < at) continue;
      text += code.slice(at, child.start) + (child === node.test && isBranch(node) ? negatable(child) : print(child));
      at = child.end;
    }
    text += code.slice(at, node.end);
    if (node.type === "BinaryExpression" && Object.hasOwn(OTHER, node.operator) && !node.isTest)
      return `$flip.not(${add(node, `${node.operator} turned into ${OTHER[node.operator]}`)}, ${text})`;
    return text;
  };
  const negatable = (test) => {
    // Turning the only comparison of a test round would be the same as negating the test.
    if (test.type === "BinaryExpression") test.isTest = true;
    return `$flip.not(${add(test, "negated")}, ${print(test)})`;
  };
  return { code: print(parse(code, { ecmaVersion: "latest", sourceType: "module" })), switches };
}

const isBranch = ({ type }) => type === "IfStatement" || type === "ConditionalExpression";
const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string" && typeof value.start === "number";
const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
