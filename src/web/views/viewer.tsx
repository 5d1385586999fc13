import type { Resources } from "../../index.ts";
import { resourcesFor } from "../api.ts";
import { nameOf, State } from "../components/basics.tsx";
import { type Loaded, useConsole, useLoad } from "../hooks.ts";

interface Viewer {
  readonly name: string;
  readonly resources: Resources;
}

const tokens = new Map<string, Promise<string>>();

/** Whoever looks: the profile, or the portal user with this id, by a token of theirs that only this page holds. */
export function useViewer(as: string): Loaded<Viewer> {
  const { resources } = useConsole();
  return useLoad(as, async () => {
    if (as === "") return { name: "the profile", resources };
    const token = tokens.get(as) ?? resources.run.loginAsUser(as).then(({ token: own }) => own);
    tokens.set(as, token);
    token.catch(() => tokens.delete(as));
    const user = await resources.run.userInfo(as);
    return { name: nameOf(user.name, as), resources: resourcesFor(await token) };
  });
}

/** Says through whose eyes this is seen. */
export function ViewerNote({
  viewer,
  as,
  leave,
}: {
  readonly viewer: Loaded<Viewer>;
  readonly as: string;
  readonly leave: string;
}) {
  if (as === "" || viewer.data === undefined) return null;
  return (
    <p className="row">
      <State tone="warn">Seen as the portal user {viewer.data.name}</State> <a href={leave}>See it as the profile</a>
    </p>
  );
}
