import {
  type GraphQLCompositeType,
  type GraphQLObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import type { CredentialKind, ViewerSource } from '../viewer.ts';
import { FieldArguments, pointsOf, readPage } from './arguments.ts';
import { Branch, keyExpression, type ListLevel } from './branch.ts';
import type {
  ColumnPlan,
  ConnectionPlan,
  EmbedPlan,
  FieldPlan,
  OnePlan,
  PlannedField,
  PlannedInterface,
  PlannedType,
  RowScope,
} from './declarations.ts';
import { directionOf, ListSource, orderBy, PLACE, wantedOf } from './lists.ts';
import { collect, compositeOf, type ReadableDocument, type Selected } from './selection.ts';
import type { ConnectionSpec, Constants } from './shape.ts';
import { StatementBuilder, VIEWER } from './statement-builder.ts';

/** What a plan is made for: the schema and document, who asks, and the variables that shape it. */
export interface PlanningContext extends ReadableDocument {
  readonly viewerSource: ViewerSource;
  readonly credential: CredentialKind;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Code that makes a value of `row`, and the points the value costs (see cost.ts). */
export interface Code {
  readonly text: string;
  readonly cost: number;
}

/** A step from the viewer's row to another row: adds its join to whichever statement needs it. */
type Step = (builder: StatementBuilder) => void;

/** One depth of lists in one statement. To-one rows and embedded types lie at the depth of their parent. */
interface Depth {
  readonly branch: Branch;
  /** Keys of the list rows from the outermost to this one, as SQL. */
  readonly keys: readonly string[];
  /** Whether a list below already continues this statement; a second one gets its own. */
  continued: boolean;
  readonly level: ListLevel | null;
}

/** A row that fields are read of. */
export interface Position {
  readonly alias: string;
  readonly steps: readonly Step[];
  readonly depth: Depth;
  /** Rows of a numbered list: the SQL of their place in it. */
  readonly place?: string;
  /** Rows that may be missing: the key that is null then. */
  readonly optional?: string;
  /** Rows seen as another type that not everybody may see: makes SQL of whether it is visible. */
  readonly visible?: () => string;
}

interface PlannedList {
  readonly level: ListLevel;
  readonly position: Position;
  /** Code that puts a new connection where its rows will find it. */
  readonly opening: (open: string) => string;
}

/** Plans everything below one root field: statements, and code that makes objects of their rows. */
export class RootCompiler {
  readonly context: PlanningContext;
  readonly branches: Branch[] = [];
  readonly constants: Constants = { reads: [], specs: [] };
  #aliases = 0;
  #lists = 0;

  constructor(context: PlanningContext) {
    this.context = context;
  }

  /** A statement that begins at the viewer's row, whose packed text is its first column unless the viewer is known already. */
  start(proves = true): Position {
    const branch = this.#branch();
    if (proves) branch.builder.column(`${VIEWER}.packed`);
    return { alias: VIEWER, steps: [], depth: { branch, keys: [], continued: false, level: null } };
  }

  /** Code for a row as an object of `type`; `named` when the executor must be told the object's type. */
  row(at: Position, type: GraphQLCompositeType, sets: readonly SelectionSetNode[], named = false): Code {
    if (isObjectType(type)) return this.#object(at, type, sets, named);
    const abstract = isInterfaceType(type) ? (type.extensions.abstract as PlannedInterface | undefined) : undefined; // set by Graph.interface
    if (!abstract) throw new TypeError(`${type.name} has no rows`);
    const typename = at.depth.branch.builder.column(abstract.typename(scopeOf(at.depth.branch.builder, at.alias)), levelOf(at));
    const possible = this.context.schema.getPossibleTypes(type);
    const variants = possible.map((variant) => ({ name: variant.name, code: this.#object(at, variant, sets, true) }));
    return {
      text: `(${variants.reduceRight((rest, { name, code }) => `row[${typename}]===${JSON.stringify(name)}?${code.text}:${rest}`, 'null')})`,
      cost: Math.max(0, ...variants.map(({ code }) => code.cost)),
    };
  }

  one(at: Position, selected: Selected, plan: OnePlan): Code {
    const args = this.#args(selected);
    const { table } = rowsOf(compositeOf(selected.field));
    const alias = this.#alias();
    return this.#oneRow(at, selected, alias, (builder) => {
      const on = plan.on(alias, scopeOf(builder, at.alias), args.scope(builder));
      if (!plan.first) return builder.join(`left join ${table} ${alias} on ${on}`, levelOf(at));
      const row = `select ${alias}.* from ${table} ${alias} where ${on} order by ${orderBy(directionOf(plan.first, args), plan.first.by(alias, args), false)} limit 1`;
      return builder.join(`left join lateral (${row}) ${alias} on true`, levelOf(at));
    });
  }

  /** The row whose id the running command or resolver returned, under `name` where it returned several. */
  readById(at: Position, selected: Selected, name: string): Code {
    const { table, key } = rowsOf(compositeOf(selected.field));
    const alias = this.#alias();
    return this.#oneRow(at, selected, alias, (builder) => {
      builder.join(
        `left join ${table} ${alias} on ${alias}.${key} = ${builder.param((run) => run.payload[name] ?? null, 'uuid')}`,
        levelOf(at),
      );
    });
  }

  connection(at: Position, selected: Selected, plan: ConnectionPlan): Code {
    const args = this.#args(selected);
    const page = readPage(args, plan.defaultSize);
    const wanted = wantedOf(this.context, selected);
    const { table, key } = rowsOf(wanted.type);
    const source = new ListSource(plan, args, page, table, at.alias);
    const overflow = page.forward ? wanted.hasNextPage : wanted.hasPreviousPage;
    const points = 1 + pointsOf(plan.cost, args);
    const spec: { -readonly [Key in keyof ConnectionSpec]: ConnectionSpec[Key] } = {
      size: page.size,
      forward: page.forward,
      points,
      codec: source.codec,
      edgeCursors: null,
    };
    const specCode = `specs[${this.constants.specs.push(spec) - 1}]`;
    const open = this.#opening(at, source, wanted, specCode, overflow || wanted.pageCursors);
    if (!wanted.edges && !wanted.pageInfo) {
      source.check(at.depth.branch.builder);
      return { text: this.#visible(at, plan, open, args), cost: points };
    }

    const alias = this.#alias();
    const list = this.#list(at, alias, key, (builder) =>
      source.join(builder, alias, page.size + (overflow ? 1 : 0), levelOf(at) + 1, points > 1 ? at.visible?.() : undefined),
    );
    const position = plan.numbered ? { ...list.position, place: `${alias}.${PLACE}` } : list.position;
    const code = wanted.nodes.length > 0 ? this.row(position, wanted.type, wanted.nodes) : { text: 'null', cost: 0 };
    list.level.node = code.text;
    if (wanted.cursor || wanted.pageCursors) {
      const columns = source.cursorColumns(alias).map((sql) => list.position.depth.branch.builder.column(sql, levelOf(list.position)));
      spec.edgeCursors = columns;
      if (wanted.cursor) list.level.cursor = `${specCode}.codec.encode([${columns.map((column) => `row[${column}]`).join(',')}])`;
      list.level.keepsRows = wanted.pageCursors;
    }
    return { text: this.#visible(at, plan, list.opening(open), args), cost: points + page.size * (1 + code.cost) };
  }

  /** All rows of a table that `where` finds, kept by key: what `nodes` looks its objects up in. */
  byKeys(at: Position, type: GraphQLObjectType, where: (alias: string, builder: StatementBuilder) => string): Position {
    const { table, key } = rowsOf(type);
    const alias = this.#alias();
    const list = this.#list(at, alias, key, (builder) => {
      builder.join(`left join ${table} ${alias} on ${where(alias, builder)}`, levelOf(at) + 1);
      builder.order(`${alias}.${key}`);
    });
    list.level.byKey = true;
    at.depth.branch.value = list.opening('new Map()');
    return list.position;
  }

  #object(at: Position, type: GraphQLObjectType, sets: readonly SelectionSetNode[], named: boolean): Code {
    const parts = named ? [`__typename:${JSON.stringify(type.name)}`] : [];
    let cost = 0;
    for (const [key, selected] of collect(this.context, type, sets)) {
      const code = this.#field(at, selected, type);
      cost += code.cost;
      parts.push(`${JSON.stringify(key)}:${code.text}`);
    }
    return { text: `{${parts.join(',')}}`, cost };
  }

  #field(at: Position, selected: Selected, type: GraphQLObjectType): Code {
    const { plan } = selected.field.extensions as unknown as PlannedField & { plan: FieldPlan }; // checked when the schema was built
    switch (plan.kind) {
      case 'column':
        return this.#column(at, selected, plan);
      case 'embed':
        return this.#embed(at, selected, plan);
      case 'one':
        return this.one(at, selected, plan);
      case 'connection':
        return this.connection(at, selected, plan);
      case 'value':
        return { text: `run.payload[${JSON.stringify(selected.field.name)}]`, cost: 0 };
      case 'read':
        return this.readById(at, selected, selected.field.name);
      default:
        throw new TypeError(`${type.name}.${selected.field.name} cannot be planned`);
    }
  }

  #column(at: Position, selected: Selected, plan: ColumnPlan): Code {
    const { builder } = at.depth.branch;
    const scope = scopeOf(builder, at.alias);
    const args = this.#args(selected);
    const points = pointsOf(plan.cost, args);
    const sql = plan.sql(at.place === undefined ? scope : { ...scope, place: at.place }, args.scope(builder));
    const columns = (typeof sql === 'string' ? [sql] : sql).map(
      (expression) => `row[${builder.column(points > 0 ? whereVisible(at, expression) : expression, levelOf(at), at.optional)}]`,
    );
    const read = plan.read ? `reads[${this.constants.reads.push(plan.read) - 1}]([${columns.join(',')}],run)` : (columns[0] ?? 'null');
    return { text: points > 0 ? `(state.made+=${points},${read})` : read, cost: points };
  }

  #embed(at: Position, selected: Selected, plan: EmbedPlan): Code {
    const args = this.#args(selected);
    const { builder } = at.depth.branch;
    const { visibleIf } = plan;
    const visible = visibleIf ? { visible: () => `(${visibleIf(scopeOf(builder, at.alias))})` } : {};
    const code = this.row({ ...at, ...visible }, compositeOf(selected.field), selected.below);
    return { text: this.#visible(at, plan, code.text, args), cost: code.cost };
  }

  #oneRow(at: Position, selected: Selected, alias: string, step: Step): Code {
    const type = compositeOf(selected.field);
    const { builder } = at.depth.branch;
    step(builder);
    const key = `${alias}.${rowsOf(type).key}`;
    const present = builder.column(key, levelOf(at));
    const optional = isNonNullType(selected.field.type) ? {} : { optional: key };
    const code = this.row({ alias, steps: [...at.steps, step], depth: at.depth, ...optional }, type, selected.below);
    return { text: `(row[${present}]===null?null:(state.made++,${code.text}))`, cost: 1 + code.cost };
  }

  /** Code that makes the connection without its entries. */
  #opening(at: Position, source: ListSource, wanted: ReturnType<typeof wantedOf>, spec: string, finishes: boolean): string {
    const { builder } = at.depth.branch;
    const total = wanted.totalCount ? this.#once(at, source.total(builder)) : 'null';
    const hasPrevious =
      wanted.hasPreviousPage && source.page.after ? this.#once(at, source.beyond(builder, this.#alias(), 'after')) : 'false';
    const hasNext = wanted.hasNextPage && source.page.before ? this.#once(at, source.beyond(builder, this.#alias(), 'before')) : 'false';
    return `state.open(${spec},${finishes},${total},${hasPrevious},${hasNext})`;
  }

  /** Adds a list at `at`: to the same statement when it is the first there, else as a statement of its own. */
  #list(at: Position, alias: string, key: string, step: Step): PlannedList {
    const id = this.#lists;
    this.#lists += 1;
    const { keys, continued, branch: parent } = at.depth;
    const branch = continued ? this.#branch() : parent;
    let opening = (open: string) => `(c${id}=${open})`;
    if (continued) {
      for (const earlier of at.steps) earlier(branch.builder);
      const statement = this.branches.length - 1;
      branch.match = { keys: keys.map((sql) => branch.builder.column(sql)), statement };
      const here = keyExpression(keys.map((sql) => parent.builder.column(sql)));
      opening = (open) => `state.wait(${statement},${here},${open})`;
    } else {
      at.depth.continued = true;
      at.depth.level?.children.push(id);
    }
    step(branch.builder);
    const level: ListLevel = {
      id,
      key: branch.builder.column(`${alias}.${key}`),
      node: 'null',
      cursor: null,
      keepsRows: false,
      children: [],
      byKey: false,
    };
    branch.levels.push(level);
    const depth: Depth = { branch, keys: [...keys, `${alias}.${key}`], continued: false, level };
    return { level, position: { alias, steps: [...at.steps, step], depth }, opening };
  }

  /** Code for a value computed once per row of this depth, however many rows the lists below add. */
  #once(at: Position, sql: string): string {
    const { builder } = at.depth.branch;
    const alias = this.#alias();
    builder.join(`left join lateral (select ${sql} as x offset 0) ${alias} on true`, levelOf(at));
    return `row[${builder.column(`${alias}.x`, levelOf(at))}]`;
  }

  #visible(at: Position, plan: EmbedPlan | ConnectionPlan, text: string, args: FieldArguments): string {
    if (!plan.visibleIf) return text;
    const { builder } = at.depth.branch;
    const condition = `(${plan.visibleIf(scopeOf(builder, at.alias), args.scope(builder))})`;
    return `(row[${builder.column(condition, levelOf(at))}]===true?${text}:null)`;
  }

  #args(selected: Selected): FieldArguments {
    return new FieldArguments(selected.field, selected.node, this.context.variables);
  }

  #alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  #branch(): Branch {
    const branch = new Branch(new StatementBuilder(this.context.viewerSource, this.context.credential));
    this.branches.push(branch);
    return branch;
  }
}

/** How many lists lie above the row. */
function levelOf(at: Position): number {
  return at.depth.keys.length;
}

/** What is dear to compute is not computed for those who may not see it. */
function whereVisible({ visible }: Position, expression: string): string {
  return visible === undefined ? expression : `case when ${visible()} then ${expression} end`;
}

function scopeOf(builder: StatementBuilder, alias: string): RowScope {
  return { t: alias, viewer: VIEWER, param: (read, cast) => builder.param(read, cast) };
}

/** Table and key of a type whose rows can be joined. */
export function rowsOf(type: GraphQLCompositeType): { table: string; key: string } {
  const { rows, abstract } = type.extensions as { rows?: PlannedType; abstract?: PlannedInterface }; // set by Graph
  const table = rows?.table ?? abstract?.table;
  if (!table) throw new TypeError(`${type.name} has no table`);
  return { table, key: rows?.key ?? abstract?.key ?? 'id' };
}
