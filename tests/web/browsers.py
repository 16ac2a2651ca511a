"""The real browsers that tests drive: Debian's Chromium by its own driver, Firefox by Marionette; a missing one skips, but fails in CI."""

import base64
import importlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
PREFS = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "browser.aboutwelcome.enabled": False,
    # What it makes ready for a person takes a third of its start.
    "browser.startup.page": 0,
    "browser.newtabpage.enabled": False,
    "browser.newtab.preload": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.enabledScopes": 0,
    "services.settings.server": "data:,",
}
# Whether nothing is saved or painted any more. Not one script that waits: a reload would end it, and the driver would wait for it.
SETTLED = """
const main = document.querySelector("main");
const closing = document.querySelector("dialog:not([open])"); // its focus is still to be given back
return !(closing || !main || main.classList.contains("unstarted") || main.getAttribute("aria-busy") === "true");
"""
KEPT = """
const done = arguments[arguments.length - 1];
const asked = indexedDB.open("irjudge");
asked.onerror = () => done(null);
asked.onsuccess = () => {
  const base = asked.result;
  if (!base.objectStoreNames.contains("actions")) { base.close(); done([]); return; }
  const all = base.transaction("actions").objectStore("actions").getAll();
  all.onsuccess = () => { base.close(); done(all.result.map((record) => record.text)); };
};
"""
FORGET = """
const done = arguments[arguments.length - 1];
const gone = ({ name }) => new Promise((resolve, reject) => {
  const asked = indexedDB.deleteDatabase(name);
  [asked.onsuccess, asked.onerror] = [resolve, reject];
});
indexedDB.databases().then((all) => Promise.all(all.map(gone))).then(() => done(true), () => done(false));
"""


def program(*names: str) -> str:
    """Return where a program is; without it the test is skipped, but fails in CI."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        sentence = f"{names[0]} is not installed"
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    return str(found)


class Chromium:
    """Chromium with a profile and a folder for downloads."""

    def __init__(self, profile: Path, downloads: Path, *flags: str, pictures: bool = False) -> None:
        """Begin; with `pictures` those that are taken are kept."""
        options = webdriver.ChromeOptions()
        options.binary_location = program("chromium", "chromium-browser")
        for flag in [*FLAGS.split(), *flags, "--disable-sync", f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        self.downloads, self._pictures = downloads, pictures
        self.driver = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
        self.pid = int(self.driver.capabilities.get("goog:processID", 0)) or _child_of(
            self.driver.service.process.pid
        )
        self.driver.set_script_timeout(30)
        self.size(1360, 820)
        # Saving asks for a place in a dialog of the system, where nobody is.
        self.before_pages(
            "delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker;"
        )

    def before_pages(self, script: str) -> str:
        """Run a script before those of every page; return its name."""
        return self.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": script}
        )["identifier"]

    def forget(self, script: str) -> None:
        """Run a script of `before_pages` no more."""
        self.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )

    def size(self, width: int, height: int, *, touch: bool = False, dark: bool = False) -> None:
        """Have a screen of this size, with fingers or not, in the dark or not."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.scheme(dark=dark)

    def scheme(self, *, dark: bool) -> None:
        """Be in the dark, or in the light."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, page: Path, *, begin: bool = True) -> None:
        """Open a page; `begin` closes the instructions."""
        self.driver.get(page.as_uri())
        self.settle()
        if begin and self.js("return !!document.querySelector('dialog[open]')"):
            self.press(Keys.ENTER)

    def js(self, script: str, *arguments: object) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *arguments)

    def later(self, script: str, *arguments: object) -> Any:
        """Return what a script calls its last argument with."""
        return self.driver.execute_async_script(script, *arguments)

    def settle(self) -> None:
        """Wait until nothing is saved or painted any more."""
        wait_until(lambda: self.js(SETTLED), seconds=20, pause=0.002)

    def send(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys one after another, with others held down, and wait for nothing."""
        for key in keys:
            chain = ActionChains(self.driver, duration=0)
            for held in hold:
                chain = chain.key_down(held)
            chain = chain.send_keys(key)
            for held in reversed(hold):
                chain = chain.key_up(held)
            chain.perform()

    def press(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys, each when the page has settled."""
        for key in keys:
            self.send(key, hold=hold)
            self.settle()

    def control(self, key: str, *, shift: bool = False) -> None:
        """Press a key with Ctrl, and perhaps Shift."""
        self.press(key, hold=(Keys.CONTROL, Keys.SHIFT) if shift else (Keys.CONTROL,))

    def raw_key(self, key: str, code: str, *, repeat: bool = False) -> None:
        """Press a key that other keyboards have: what is written on it, and where it stands."""
        event = {"type": "keyDown", "key": key, "code": code, "autoRepeat": repeat}
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**event, "type": "keyUp"})
        self.settle()

    def text(self, selector: str) -> str:
        """Return the words of the first part of the page that fits."""
        return str(
            self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def click(self, selector: str) -> None:
        """Click the first part of the page that fits."""
        self.js("document.querySelector(arguments[0]).click()", selector)
        self.settle()

    def button(self, words: str) -> None:
        """Click the last button whose words begin like this."""
        fitting = (
            "filter((button) => button.textContent.startsWith(arguments[0]) && button.offsetParent)"
        )
        self.js(f"[...document.querySelectorAll('button')].{fitting}.at(-1).click()", words)
        self.settle()

    @property
    def message(self) -> str:
        """What the page said last."""
        return self.text(".message p")

    @property
    def title(self) -> str:
        """The title of the document on the desk."""
        return self.text(".sheet h1")

    def kept(self) -> list[dict[str, Any]]:
        """Return the actions that the browser keeps."""
        return [json.loads(text) for text in self.later(KEPT) or []]

    def forget_storage(self, origin: str = "file://") -> None:
        """Leave the page, and throw away what the browser keeps of all pages of a server, or of all files."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd(
            "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
        )

    def speak(self, language: str) -> None:
        """Be the browser of somebody who prefers a language; none is that of this machine."""
        agent = self.js("return navigator.userAgent") if language else ""
        self.driver.execute_cdp_cmd(
            "Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language}
        )

    def complaints(self) -> list[str]:
        """Return what the browser wrote into its log since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def downloaded(self, name: str) -> Path:
        """Return a file once it was downloaded."""
        path = self.downloads / name
        wait_until(lambda: path.exists() and not list(self.downloads.glob("*.crdownload")))
        return path

    def snap(self, path: Path) -> None:
        """Save a picture of the page for people to look at, where they are wanted: one costs as much as ten keys."""
        if not self._pictures:
            return
        path.parent.mkdir(exist_ok=True)
        # Not the driver's own: it packs pictures as small as can be, which costs several times as much.
        taken = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True}
        )
        path.write_bytes(base64.b64decode(taken["data"]))

    def quit(self) -> None:
        """End the browser."""
        self.driver.quit()

    def strike(self) -> None:
        """Kill the browser as a power cut would; `clear` sweeps up."""
        os.kill(self.pid, signal.SIGKILL)

    def clear(self) -> None:
        """End the driver of a killed browser."""
        self.driver.service.stop()


class Firefox:
    """Firefox with a profile, driven by Marionette."""

    def __init__(self, profile: Path, *names: str) -> None:
        """Begin; `names` of machines lead to this one."""
        profile.mkdir(exist_ok=True)
        port, self._blank = free_port(), profile / "blank.html"
        lines = {**PREFS, "marionette.port": port, "network.dns.localDomains": ",".join(names)}
        (profile / "user.js").write_text(
            "".join(
                f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                for name, value in lines.items()
            )
        )
        command = [
            program("firefox-esr", "firefox"),
            "--headless",
            "--marionette",
            "--no-remote",
            "--profile",
            str(profile),
        ]
        environment = {
            **os.environ,
            "HOME": str(profile),
            "MOZ_HEADLESS_WIDTH": "1360",
            "MOZ_HEADLESS_HEIGHT": "820",
        }
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        wait_until(lambda: _listens(port), seconds=60)
        self.driver = marionette()[0].Marionette(host="127.0.0.1", port=port)
        self.driver.start_session()
        self.driver.timeout.script = 30

    def open(self, page: Path) -> None:
        """Open a page and close its instructions."""
        self.driver.navigate(page.as_uri())
        self.settle()
        if self.js("return !!document.querySelector('dialog[open]')"):
            self.press("\ue007")

    def js(self, script: str, *arguments: object) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, script_args=list(arguments), sandbox=None)

    def later(self, script: str, *arguments: object) -> Any:
        """Return what a script calls its last argument with."""
        return self.driver.execute_async_script(script, script_args=list(arguments), sandbox=None)

    def settle(self) -> None:
        """Wait until nothing is saved or painted any more."""
        wait_until(lambda: self.js(SETTLED), seconds=20, pause=0.002)

    def send(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys one after another, with others held down, and wait for nothing."""
        for key in keys:
            chain = self.driver.actions.sequence("key", "keyboard_id")
            for held in hold:
                chain = chain.key_down(held)
            chain = chain.key_down(key).key_up(key)
            for held in reversed(hold):
                chain = chain.key_up(held)
            chain.perform()

    def press(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys, each when the page has settled."""
        for key in keys:
            self.send(key, hold=hold)
            self.settle()

    def text(self, selector: str) -> str:
        """Return the words of the first part of the page that fits."""
        return str(
            self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def kept(self) -> list[dict[str, Any]]:
        """Return the actions that the browser keeps."""
        return [
            json.loads(text) for text in self.driver.execute_async_script(KEPT, sandbox=None) or []
        ]

    def forget_storage(self) -> None:
        """Leave the page, and throw away what the browser keeps of all files."""
        self._blank.write_text("<!doctype html>")
        self.driver.navigate(self._blank.as_uri())
        assert self.later(FORGET)

    def strike(self) -> None:
        """Kill the browser and its children as a power cut would; `clear` sweeps up."""
        os.killpg(self._process.pid, signal.SIGKILL)

    def clear(self) -> None:
        """End the connection to a killed browser."""
        self._process.wait()
        self.driver.cleanup_ran = True  # or it would connect once more when it is thrown away
        if self.driver.client:
            self.driver.client.close()

    def quit(self) -> None:
        """End the browser."""
        self.strike()
        self.clear()


def marionette() -> Any:
    """Return the client of Firefox; it is imported late, since it takes half a second, and complains of its own parts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("marionette_driver.marionette"), importlib.import_module(
            "marionette_driver.errors"
        )


def wait_until(holds: Callable[[], bool], seconds: float = 15, pause: float = 0.02) -> None:
    """Wait until something holds; fail after so many seconds. The longer it takes, the less often it looks: a look costs a browser work."""
    begin = time.monotonic()
    while not holds():
        assert time.monotonic() < begin + seconds, f"still not so after {seconds} s"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.25)


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _child_of(pid: int) -> int:
    """Return the first child of a process: of the driver, its browser."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True
    )
    return int(found.stdout.split()[0])
