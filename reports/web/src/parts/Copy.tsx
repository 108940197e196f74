// A command with a button that copies it: through the clipboard where the browser allows it from a
// file, otherwise through a selection.
import { useRef, useState } from "preact/hooks";

export function Copy({ text }: { text: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useState("");
  const select = () => {
    if (!code.current) return;
    getSelection()?.selectAllChildren(code.current);
    say(document.execCommand("copy") ? "Copied" : "Selected: copy it with the keyboard");
  };
  const copy = () => {
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(text).then(() => say("Copied"), select);
  };
  return (
    <div class="copy">
      <code ref={code}>{text}</code>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <span role="status" class="soft">
        {said}
      </span>
    </div>
  );
}
