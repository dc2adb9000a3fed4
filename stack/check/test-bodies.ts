import ts from 'typescript';

const TEST = /^(?:test|it)\b/;
const DETOURS = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.TryStatement,
]);

function isTestBody(node: ts.Node): boolean {
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  return isFunction && ts.isCallExpression(node.parent) && TEST.test(node.parent.expression.getText());
}

/** Every if, loop and try inside the body of a test, a line each: a test is a row of a table, and waiting lives in test/support. */
export function detoursOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node, isInTest: boolean): void => {
    if (isInTest && DETOURS.has(node.kind)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: no if, loop or try in a test body: a table of rows, or test/support`);
    }
    ts.forEachChild(node, (child) => visit(child, isInTest || isTestBody(child)));
  };
  visit(source, false);
  return found;
}
