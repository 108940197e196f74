// The page that is shown is the fragment of the address: "#failure/3".
import { useEffect, useState } from "preact/hooks";

export interface Route {
  page: string;
  rest: string;
}

// The address of NAME on a page, as a link has it: any text may be a name.
export function address(page: string, name: string): string {
  return `#${page}/${encodeURIComponent(name)}`;
}

// A fragment that somebody cut or typed need not decode: then it is taken as it is, and names no page.
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function current(): Route {
  const [page = "", ...rest] = decoded(location.hash.slice(1)).split("/");
  return { page: page || "summary", rest: rest.join("/") };
}

export function useRoute(): Route {
  const [route, set] = useState(current);
  useEffect(() => {
    const changed = () => {
      set(current());
      window.scrollTo(0, 0);
    };
    addEventListener("hashchange", changed);
    // A link that was followed before this ran.
    const now = current();
    if (now.page !== route.page || now.rest !== route.rest) changed();
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
