import { byId } from "./element.ts";

// The page for a screen on a wall: large, without controls, and awake. Escape, or the button that appears when somebody comes
// to the keyboard or the pointer, leaves it.
export class WallScreen {
  private lock: WakeLockSentinel | null = null;
  private isOn = false;
  private quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(leave: () => void) {
    byId("leave").addEventListener("click", leave);
    document.addEventListener("keydown", (event) => {
      if (this.isOn && event.key === "Escape") leave();
    });
    document.addEventListener("pointermove", () => this.stir());
    document.addEventListener("visibilitychange", () => {
      if (this.isOn && !document.hidden) void this.stayAwake();
    });
  }

  set(isOn: boolean): void {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    document.body.classList.toggle("wall", isOn);
    byId("leave").hidden = !isOn;
    if (isOn) void this.stayAwake();
    else void this.lock?.release();
  }

  private async stayAwake(): Promise<void> {
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch {
      // Not every browser has it, and none gives it to a page without TLS on another machine.
    }
  }

  private stir(): void {
    if (!this.isOn) return;
    document.body.classList.add("stirred");
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => document.body.classList.remove("stirred"), 4000);
  }
}
