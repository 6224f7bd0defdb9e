import { TYPE_NAME } from '../schema/type-name.ts';
import type { Prepared, StatementBuilder } from '../statements/statement-builder.ts';
import { type Constants, type Shape, unchunked } from './shape.ts';

/** A list whose rows the statement returns. */
export interface ListLevel {
  /** Number of the list in its root field. */
  readonly id: number;
  /** Position of the row's key. */
  readonly key: number;
  /**
   * Expression of the result of a row: an entry of the connection, or an object. Set after everything below is planned.
   */
  entry: string;
  keepsRows: boolean;
  /** Lists of the next level, whose variables must be cleared for each new object. */
  readonly children: number[];
  /** `nodes`: objects go into this map by key instead of a connection. */
  byKey: boolean;
}

/** A statement of a root field, and the code that turns its rows into objects. */
export class Branch {
  readonly builder: StatementBuilder;
  /** Lists nested in one another, outermost first. */
  readonly levels: ListLevel[] = [];
  /** Functions that open the connections of this statement's rows. */
  readonly openings: string[] = [];
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

  /** The code that turns the rows into objects. */
  shape({ reads, specs, projections }: Constants): Shape {
    const variables = this.levels.flatMap((level, depth) => [`c${level.id}=null`, `k${depth}`]);
    const lines = [
      'const{env,payload}=input;',
      variables.length > 0 ? `let ${variables.join(',')};` : '',
      this.match
        ? `const waiting=state.mapOf(${this.match.statement});let parent;`
        : `let value;{const row=rows[0];value=${this.value};}`,
      this.levels.length > 0
        ? 'for(let i=0;i<rows.length;i++){const ' +
          `row=rows[i];${this.#match()}${this.levels.map((_, depth) => this.#level(depth)).join('')}}`
        : '',
      this.match ? '' : 'return value;',
    ];
    // Generated from declarations only: our own names and numbers, and property names as JSON strings.
    const body = `"use strict";${this.openings.join('')}return function shape(rows,input,state){${lines.join('\n')}}`;
    return new Function('reads', 'specs', 'projections', 'TYPE_NAME', 'unchunked', body)(
      reads,
      specs,
      projections,
      TYPE_NAME,
      unchunked,
    ) as Shape; // as generated
  }

  #match(): string {
    const [first] = this.levels;
    if (!this.match || !first) return '';
    return (
      'const ' +
      `p=${keyExpression(this.match.keys)};if(p!==parent){parent=p;c${first.id}=waiting.get(p)??null;k0=undefined;}`
    );
  }

  #level(depth: number): string {
    const level = this.levels[depth];
    if (!level) return '';
    const { id, entry } = level;
    const reset = depth + 1 < this.levels.length ? `k${depth + 1}=undefined;` : '';
    const clear = level.children.map((child) => `c${child}=null;`).join('');
    const rows = level.keepsRows ? `c${id}.rows.push(row);` : '';
    const put = level.byKey ? `c${id}.set(key${depth},${entry});` : `c${id}.edges.push(${entry});${rows}`;
    return (
      'const ' +
      `key${depth}=row[${level.key}];if(key${depth}===null)continue;if(key${depth}!==k${depth}){k${depth}=key${depth};${reset}${clear}if(c${id}!==null){state.points++;${put}}}`
    );
  }
}

/** The ancestors' keys as one string. */
export function keyExpression(keys: readonly number[]): string {
  return keys.length === 0 ? '""' : keys.map((key) => `row[${key}]`).join('+" "+');
}
