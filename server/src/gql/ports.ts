import type { IdPort, PermissionPort, PolicyPort, Ports, ViewerPort } from '@reelgraph/sql-planner';
import { isForOperators, isPermission } from '../kernel/permissions.ts';
import { columnsOf, decide, permits } from '../kernel/policy.ts';
import { didPort } from './did.ts';
import { invalidCredential } from './errors/error-kinds.ts';
import { plannerErrors } from './errors/planner-errors.ts';
import type { RequestContext } from './request-context.ts';
import {
  type Authorize,
  isForPrograms,
  packedViewer,
  plansAllowing,
  tokenHas,
  unpackViewer,
  type ViewerSource,
} from './viewer.ts';

/** Dependencies of the platform's ports. */
export interface PortOptions {
  /** The `<ns>` of DIDs. */
  readonly namespace: string;
  readonly viewerSource: ViewerSource;
  readonly authorize: Authorize;
}

/** The platform as the planner sees it: accounts, permissions, policies, DIDs and the error catalogue. */
export function platformPorts({ namespace, viewerSource, authorize }: PortOptions): Ports {
  const ids: IdPort = didPort(namespace);
  return {
    viewer: viewerPort(viewerSource),
    permissions: permissionPort(authorize),
    policies: POLICIES,
    ids,
    errors: plannerErrors,
    // Defined in migrations/repeatable/platform.sql.
    values: { inJson: (sql) => `in_json(${sql})` },
  };
}

function viewerPort(rows: ViewerSource): ViewerPort {
  return {
    rows,
    packed: packedViewer,
    unpack: unpackViewer,
    invalid: invalidCredential,
    // All requests of the engine have a context of this class.
    identified: (env, viewer) => (env as RequestContext).of(viewer),
    contextOf(env, signal) {
      const context = env as RequestContext; // as above
      return signal === null ? context : context.until(signal);
    },
  };
}

function permissionPort(authorize: Authorize): PermissionPort {
  const refuse: PermissionPort['refuse'] = (env, viewer, access) => {
    const decision = authorize(viewer, access, env.nowMs);
    return decision.kind === 'deny' ? decision.error : null;
  };
  return {
    refuse,
    // Applies to every use of a credential, including introspection: a lapsed subscription.
    refuseAlways: (env, viewer) => (viewer ? refuse(env, viewer, 'public') : null),
    condition(access, credential, scope) {
      if (!isPermission(access)) return 'u.account_id is not null';
      if (isForOperators(access)) return credential === 'session' ? 'u.is_operator' : 'false';
      const { always, whileCurrent } = plansAllowing(access, credential);
      // Codes of plans need no quotes.
      const isOn = (plans: readonly string[]) => `u.plan = any(${scope.constant(`{${plans.join(',')}}`, 'text[]')})`;
      const granted = always.length > 0 ? isOn(always) : `${isOn(whileCurrent)} and u.access_until > ${scope.now}`;
      return credential === 'token' ? `${granted} and ${tokenHas('u', access)}` : granted;
    },
    // Usage limits of a key are charged before execution.
    precondition: (mutation, credential) =>
      mutation?.charges && isForPrograms(credential) ? 'not u.key_limited' : null,
  };
}

/** The policies of commands, for the planner and for code that composes its statements. */
export const POLICIES: PolicyPort = {
  columns: columnsOf,
  condition: permits,
  // The target has the policy's columns: composeCommand checks it.
  refuse: (policy, target, field) => decide(policy, target as never, field),
};
