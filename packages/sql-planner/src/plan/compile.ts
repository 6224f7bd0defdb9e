import {
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { propertyKey, responseKey } from '../documents/response-keys.ts';
import { Branch, keyExpression, type ListLevel } from '../rows/branch.ts';
import { objectLiteral, typeNameProperty } from '../rows/object-literal.ts';
import { Constants } from '../rows/shape.ts';
import type {
  ColumnPlan,
  ConnectionPlan,
  EmbedPlan,
  FieldPlan,
  OnePlan,
  PlannedField,
} from '../schema/declarations.ts';
import { StatementBuilder, VIEWER } from '../statements/statement-builder.ts';
import { FieldArguments } from './arguments.ts';
import { objectOf, readsPage, specOf } from './connection-code.ts';
import { type ConnectionSelection, connectionSelection, selects } from './connection-selection.ts';
import { directionOf, ListSource, orderBy, PLACE } from './lists.ts';
import { isPackable, listsBelow, type PlannedList, packedList } from './packed-lists.ts';
import { readPage } from './page.ts';
import { pointsOf } from './points.ts';
import {
  abstractOf,
  type Code,
  type Depth,
  levelOf,
  ownerOf,
  type PlanningContext,
  type Position,
  rowsOf,
  type Step,
  scopeOf,
  whereVisible,
} from './position.ts';
import { projectionOf } from './project.ts';
import { collect, compositeOf, type KeyOf, type Selected, selectsPath } from './selection.ts';
import { variantsOf } from './variants.ts';

/** Plans everything below one root field: statements, and code that makes objects of their rows. */
export class RootCompiler {
  readonly context: PlanningContext;
  readonly branches: Branch[] = [];
  readonly constants: Constants = new Constants();
  /**
   * What objects hold their fields under: the names of the response, or those of the fields where parts are selected
   * twice.
   */
  readonly #keyOf: KeyOf;
  #aliases = 0;
  #lists = 0;

  constructor(context: PlanningContext, hasRepeatedParts: boolean) {
    this.context = context;
    this.#keyOf = hasRepeatedParts ? propertyKey : responseKey;
  }

  /**
   * A statement that begins at the viewer's row, whose packed text is its first column unless the viewer is known
   * already.
   */
  start(proves = true): Position {
    const branch = this.#branch();
    if (proves) branch.builder.column(`${VIEWER}.packed`);
    return {
      alias: VIEWER,
      steps: [],
      depth: { branch, builder: branch.builder, keys: [], continued: false, level: null },
    };
  }

  /** Code for a row as an object of `type`; `named` when the object must carry the name of its type. */
  row(at: Position, type: GraphQLCompositeType, sets: readonly SelectionSetNode[], named = false): Code {
    at.depth.lists ??= this.#listsBelow(type, sets);
    if (isObjectType(type)) return this.#object(at, type, sets, named);
    const abstract = isInterfaceType(type) ? abstractOf(type) : undefined;
    if (!abstract || !isInterfaceType(type)) throw new TypeError(`${type.name} has no rows`);
    const { builder } = at.depth;
    const name = abstract.typename(scopeOf(builder, at.alias, at.owner));
    const typename = `row[${builder.column(name, levelOf(at), at.optional)}]`;
    return this.#anyOf(at, type, sets, typename);
  }

  one(at: Position, selected: Selected, plan: OnePlan): Code {
    const args = this.#args(selected);
    const { table } = rowsOf(compositeOf(selected.field));
    const alias = this.#alias();
    return this.#oneRow(at, selected, alias, plan, (builder) => {
      const on = plan.on(alias, scopeOf(builder, at.alias, at.owner), args.scope(builder));
      if (!plan.first) return builder.join(`left join ${table} ${alias} on ${on}`, levelOf(at));
      const row =
        `select ${alias}.* from ${table} ${alias} where ${on} ` +
        `order by ${orderBy(directionOf(plan.first, args), plan.first.by(alias, args), false)} limit 1`;
      return builder.join(`left join lateral (${row}) ${alias} on true`, levelOf(at));
    });
  }

  /** The row whose id the running command or resolver returned, under `name` where it returned several. */
  readById(at: Position, selected: Selected, name: string): Code {
    const { table, key } = rowsOf(compositeOf(selected.field));
    const alias = this.#alias();
    return this.#oneRow(at, selected, alias, {}, (builder) => {
      builder.join(
        `left join ${table} ${alias} on ${alias}.${key} = ` +
          `${builder.param(({ payload }) => payload[name] ?? null, this.context.ports.ids.keyType)}`,
        levelOf(at),
      );
    });
  }

  connection(at: Position, selected: Selected, plan: ConnectionPlan): Code {
    const args = this.#args(selected);
    const page = readPage(args, plan.defaultSize, this.context.ports.errors);
    const parts = connectionSelection(this.context, selected, this.#keyOf);
    const { table, key } = rowsOf(parts.type);
    const source = new ListSource(plan, args, page, table, at, this.context.ports.errors);
    const overflow = selects(parts.pageInfo, page.forward ? 'hasNextPage' : 'hasPreviousPage');
    const pageCursors = selects(parts.pageInfo, 'startCursor') || selects(parts.pageInfo, 'endCursor');
    const points = 1 + pointsOf(plan.cost, args);
    const spec = specOf(source, parts, points);
    const specCode = `specs[${this.constants.specs.push(spec) - 1}]`;
    const open = this.#opening(at, source, parts, `state.open(${specCode},${overflow || pageCursors})`);
    if (!selects(parts.connection, 'edges') && !readsPage(parts)) {
      source.check(at.depth.builder);
      return { text: this.#visible(at, plan, `${open}.value`, args), cost: points };
    }

    const alias = this.#alias();
    const limit = page.size + (overflow ? 1 : 0);
    const visible = points > 1 ? at.visible?.() : undefined;
    const isPacked = isPackable(at.depth, page, this.#listsBelow(parts.type, parts.nodes));
    const list = isPacked
      ? packedList(this.context, at, source, { alias, limit, visible })
      : this.#list(at, alias, key, (builder) => source.join(builder, alias, limit, levelOf(at) + 1, visible));
    const position = {
      ...list.position,
      ...ownerOf(plan, at),
      ...(plan.numbered ? { place: `${alias}.${PLACE}` } : {}),
    };
    const node = parts.nodes.length > 0 ? this.row(position, parts.type, parts.nodes) : { text: 'null', cost: 0 };
    const columns = () =>
      source.cursorColumns(alias).map((sql) => list.position.depth.builder.column(sql, levelOf(list.position)));
    const cursor = selects(parts.edge, 'cursor')
      ? `${specCode}.codec.encode([${columns()
          .map((column) => `row[${column}]`)
          .join(',')}])`
      : 'null';
    if (pageCursors) spec.edgeCursors = columns();
    list.level.entry = objectOf(parts.edge, { node: node.text, cursor });
    list.level.keepsRows = pageCursors;
    return {
      text: this.#visible(at, plan, `${list.opening(open)}.value`, args),
      cost: points + page.size * (1 + node.cost),
    };
  }

  #listsBelow(type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): number {
    return listsBelow(this.context, type, sets, this.#keyOf);
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
    const parts: Array<[name: string, text: string]> = [];
    let cost = 0;
    for (const [key, selected] of collect(this.context, type, sets, this.#keyOf)) {
      const isTypeName = selected.field === TypeNameMetaFieldDef;
      const code = isTypeName ? { text: JSON.stringify(type.name), cost: 0 } : this.#field(at, selected, type);
      cost += code.cost;
      parts.push([key, code.text]);
    }
    return { text: objectLiteral(parts, named ? typeNameProperty(type.name) : ''), cost };
  }

  /**
   * Code for a row of one of several types, whose name is `typename`. What the types have in common is read once,
   * whichever of them the row is of.
   */
  #anyOf(at: Position, type: GraphQLInterfaceType, sets: readonly SelectionSetNode[], typename: string): Code {
    const codes = new Map<Selected, Code>();
    const alternatives = new Map<string, { readonly names: string[]; readonly cost: number }>();
    for (const variant of variantsOf(this.context, type, sets, this.#keyOf)) {
      const parts: Array<[name: string, text: string]> = [];
      let cost = 0;
      for (const [key, selected] of variant.fields) {
        const code =
          selected.field === TypeNameMetaFieldDef
            ? { text: typename, cost: 0 }
            : (codes.get(selected) ?? this.#field(at, selected, variant.type));
        codes.set(selected, code);
        cost += code.cost;
        parts.push([key, code.text]);
      }
      const text = objectLiteral(parts, `[TYPE_NAME]:${typename}`);
      const { names } = alternatives.get(text) ?? { names: [] };
      alternatives.set(text, { names: [...names, variant.type.name], cost });
    }
    // The most common alternative needs no test.
    const [rest = ['null', { names: [], cost: 0 }] as const, ...others] = [...alternatives].sort(
      ([, a], [, b]) => b.names.length - a.names.length,
    );
    const tested = others.map(([text, { names }]) => {
      const test = names.map((name) => `${typename}===${JSON.stringify(name)}`).join('||');
      return `${test}?${text}:`;
    });
    return {
      text: others.length === 0 ? rest[0] : `(${tested.join('')}${rest[0]})`,
      cost: Math.max(...[rest, ...others].map(([, { cost }]) => cost)),
    };
  }

  #field(at: Position, selected: Selected, type: GraphQLObjectType): Code {
    const { text, cost } = this.#value(at, selected, type);
    // Literals of objects and connections are always there.
    return {
      text: isNonNullType(selected.field.type) && !/^[{o]/.test(text) ? `(${text}??state.missing())` : text,
      cost,
    };
  }

  #value(at: Position, selected: Selected, type: GraphQLObjectType): Code {
    // Checked when the schema was built.
    const { plan } = selected.field.extensions as unknown as PlannedField & { plan: FieldPlan };
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
        return { text: this.#output(selected, `payload[${JSON.stringify(selected.field.name)}]`), cost: 0 };
      case 'read':
        return this.readById(at, selected, selected.field.name);
      default:
        throw new TypeError(`${type.name}.${selected.field.name} cannot be planned`);
    }
  }

  /** Code for a value that is not made of columns of ours: of lists and objects, what is selected of them. */
  #output({ field, below }: Selected, text: string): string {
    const type = isNonNullType(field.type) ? field.type.ofType : field.type;
    if (isLeafType(type) || this.#keyOf === propertyKey) return `(${text}??null)`;
    return `projections[${this.constants.projections.push(projectionOf(this.context, type, below)) - 1}](${text},state)`;
  }

  #column(at: Position, selected: Selected, plan: ColumnPlan): Code {
    const { builder } = at.depth;
    const scope = scopeOf(builder, at.alias, at.owner);
    const args = this.#args(selected);
    const points = pointsOf(plan.cost, args);
    const place = at.place === undefined ? scope : { ...scope, place: at.place };
    const sql = plan.sql(place, args.scope(builder), (path) => selectsPath(this.context, selected, path));
    const columns = (typeof sql === 'string' ? [sql] : sql).map(
      (expression) =>
        `row[${builder.column(points > 0 ? whereVisible(at, expression) : expression, levelOf(at), at.optional)}]`,
    );
    const read = plan.read
      ? `reads[${this.constants.reads.push(plan.read) - 1}]([${columns.join(',')}],env)`
      : (columns[0] ?? 'null');
    const value = this.#output(selected, read);
    return { text: points > 0 ? `(state.points+=${points},${value})` : value, cost: points };
  }

  #embed(at: Position, selected: Selected, plan: EmbedPlan): Code {
    const args = this.#args(selected);
    const { builder } = at.depth;
    const { visibleIf } = plan;
    const visible = visibleIf ? { visible: () => `(${visibleIf(scopeOf(builder, at.alias, at.owner))})` } : {};
    const code = this.row({ ...at, ...visible }, compositeOf(selected.field), selected.below);
    return { text: this.#visible(at, plan, code.text, args), cost: code.cost };
  }

  #oneRow(at: Position, selected: Selected, alias: string, plan: { owner?: string | undefined }, step: Step): Code {
    const type = compositeOf(selected.field);
    const { builder } = at.depth;
    step(builder);
    const key = `${alias}.${rowsOf(type).key}`;
    const present = builder.column(key, levelOf(at));
    const optional = isNonNullType(selected.field.type) ? {} : { optional: key };
    const row = { alias, steps: [...at.steps, step], depth: at.depth, ...ownerOf(plan, at), ...optional };
    const code = this.row(row, type, selected.below);
    return { text: `(row[${present}]===null?null:(state.points++,${code.text}))`, cost: 1 + code.cost };
  }

  /** Code that makes the connection without its entries: a call of a function of the parent's row. */
  #opening(at: Position, source: ListSource, parts: ConnectionSelection, open: string): string {
    const { branch } = at.depth;
    const { builder } = branch;
    const totalCount = selects(parts.connection, 'totalCount') ? this.#once(at, source.total(builder)) : 'null';
    const beyond = (field: string, cursor: 'after' | 'before') =>
      selects(parts.pageInfo, field) && source.page[cursor]
        ? `${this.#once(at, source.beyond(builder, this.#alias(), cursor))}===true`
        : 'false';
    const hasPreviousPage = beyond('hasPreviousPage', 'after');
    const hasNextPage = beyond('hasNextPage', 'before');
    const pageInfo = objectOf(parts.pageInfo, { hasPreviousPage, hasNextPage, startCursor: 'null', endCursor: 'null' });
    const value = objectOf(parts.connection, { totalCount, edges: 'c.edges', pageInfo: `(c.info=${pageInfo})` });
    const name = `o${this.#aliases}_${branch.openings.length}`;
    branch.openings.push(`const ${name}=(row,state)=>{const c=${open};c.value=${value};return c;};`);
    return `${name}(row,state)`;
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
    const { builder } = branch;
    step(builder);
    const level: ListLevel = {
      id,
      key: builder.column(`${alias}.${key}`),
      entry: 'null',
      keepsRows: false,
      children: [],
      byKey: false,
    };
    branch.levels.push(level);
    const depth: Depth = { branch, builder, keys: [...keys, `${alias}.${key}`], continued: false, level };
    return { level, position: { alias, steps: [...at.steps, step], depth }, opening };
  }

  /** Code for a value computed once per row of this depth, however many rows the lists below add. */
  #once(at: Position, sql: string): string {
    return `row[${at.depth.builder.subquery(sql, levelOf(at))}]`;
  }

  #visible(at: Position, plan: EmbedPlan | ConnectionPlan, text: string, args: FieldArguments): string {
    if (!plan.visibleIf) return text;
    const { builder } = at.depth;
    const condition = `(${plan.visibleIf(scopeOf(builder, at.alias, at.owner), args.scope(builder))})`;
    return `(row[${builder.column(condition, levelOf(at))}]===true?${text}:null)`;
  }

  #args(selected: Selected): FieldArguments {
    return new FieldArguments(this.context.ports, selected.field, selected.node, this.context.variables);
  }

  #alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  #branch(): Branch {
    const branch = new Branch(new StatementBuilder(this.context.ports.viewer, this.context.credential));
    this.branches.push(branch);
    return branch;
  }
}
