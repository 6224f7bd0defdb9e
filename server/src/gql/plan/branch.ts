import type { Constants, Shape, ShapeState } from './shape.ts';
import type { Prepared, StatementBuilder } from './statement-builder.ts';

/** One list whose rows are in the statement. */
export interface ListLevel {
  /** Number of the list in its root field. */
  readonly id: number;
  /** Position of the row's key. */
  readonly key: number;
  /** Expression that makes the object; set once everything below is planned. */
  node: string;
  /** Expression of the cursor, or null. */
  cursor: string | null;
  keepsRows: boolean;
  /** Lists of the next level, whose variables must be cleared for each new object. */
  readonly children: number[];
  /** `nodes`: objects go into this map by key instead of a connection. */
  byKey: boolean;
}

/** One statement of a root field and the code that makes objects of its rows. */
export class Branch {
  readonly builder: StatementBuilder;
  /** Lists nested in one another, outermost first. */
  readonly levels: ListLevel[] = [];
  /** Expression of the root field's value; empty in statements that only fill lists of the first one. */
  value = '';
  /** Positions of the ancestors' keys, and which waiting connections the rows belong to. */
  match: { readonly keys: readonly number[]; readonly statement: number } | null = null;

  constructor(builder: StatementBuilder) {
    this.builder = builder;
  }

  /** The finished statement and its shaper. */
  build(label: string, constants: Constants): { prepared: Prepared; shape: Shape } {
    return { prepared: this.builder.build(label), shape: this.shape(constants) };
  }

  /** The code that makes objects of the rows. */
  shape(constants: Constants): Shape {
    const variables = this.levels.flatMap((level, depth) => [`c${level.id}=null`, `k${depth}`]);
    const lines = [
      variables.length > 0 ? `let ${variables.join(',')};` : '',
      this.match ? `const waiting=state.mapOf(${this.match.statement});let parent;` : `let value;{const row=rows[0];value=${this.value};}`,
      this.levels.length > 0
        ? `for(let i=0;i<rows.length;i++){const row=rows[i];${this.#match()}${this.levels.map((_, depth) => this.#level(depth)).join('')}}`
        : '',
      this.match ? '' : 'return value;',
    ];
    // Generated from declarations only: names and numbers of our own, property names as JSON strings.
    const make = new Function('reads', 'specs', `"use strict";return function shape(rows,run,state){${lines.join('\n')}}`);
    return make(constants.reads, constants.specs) as (rows: readonly (readonly unknown[])[], run: unknown, state: ShapeState) => unknown;
  }

  #match(): string {
    const [first] = this.levels;
    if (!this.match || !first) return '';
    return `const p=${keyExpression(this.match.keys)};if(p!==parent){parent=p;c${first.id}=waiting.get(p)??null;k0=undefined;}`;
  }

  #level(depth: number): string {
    const level = this.levels[depth];
    if (!level) return '';
    const reset = depth + 1 < this.levels.length ? `k${depth + 1}=undefined;` : '';
    const clear = level.children.map((id) => `c${id}=null;`).join('');
    const put = level.byKey
      ? `state.made++;const node=${level.node};c${level.id}.set(key${depth},node);`
      : `state.made++;const node=${level.node};c${level.id}.edges.push({node,cursor:${level.cursor ?? 'null'}});${level.keepsRows ? `c${level.id}.rows.push(row);` : ''}`;
    return `const key${depth}=row[${level.key}];if(key${depth}===null)continue;if(key${depth}!==k${depth}){k${depth}=key${depth};${reset}${clear}if(c${level.id}!==null){${put}}}`;
  }
}

/** Ancestors' keys as one text. */
export function keyExpression(keys: readonly number[]): string {
  return keys.length === 0 ? '""' : keys.map((key) => `row[${key}]`).join('+" "+');
}
