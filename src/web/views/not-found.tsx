import { Heading } from "../components/basics.tsx";

export function NotFoundView() {
  return <Heading title="Not found" about="This address has no view. Choose one in the navigation." />;
}
