"""Browsers driven by tests: Debian's Chromium by its driver, Firefox by Marionette.

A test whose browser is missing is skipped, but fails in CI.
"""

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
    # Preparations for a human user take a third of its start.
    "browser.startup.page": 0,
    "browser.newtabpage.enabled": False,
    "browser.newtab.preload": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.enabledScopes": 0,
    "services.settings.server": "data:,",
}
# Whether saving and rendering have finished. Polled instead of one script that waits: a reload
# would end such a script, and the driver would wait for it.
IS_IDLE = """
const main = document.querySelector("main");
const closing = document.querySelector("dialog:not([open])"); // its focus is still to be given back
return !(closing || !main || main.classList.contains("unstarted") || main.getAttribute("aria-busy") === "true");
"""
STORED_ACTIONS = """
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
CLEAR_STORAGE = """
const done = arguments[arguments.length - 1];
const gone = ({ name }) => new Promise((resolve, reject) => {
  const asked = indexedDB.deleteDatabase(name);
  [asked.onsuccess, asked.onerror] = [resolve, reject];
});
indexedDB.databases().then((all) => Promise.all(all.map(gone))).then(() => done(true), () => done(false));
"""


def find_program(*names: str) -> str:
    """Return the path of a program; skip the test if it is missing, or fail it in CI."""
    program = next((path for name in names if (path := shutil.which(name))), None)
    if program is None:
        sentence = f"{names[0]} is not installed"
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    return str(program)


class Chromium:
    """Chromium with a profile and a folder for downloads."""

    def __init__(self, profile: Path, downloads: Path, *flags: str, pictures: bool = False) -> None:
        """Start the browser; with `pictures`, screenshots are saved."""
        options = webdriver.ChromeOptions()
        options.binary_location = find_program("chromium", "chromium-browser")
        for flag in [*FLAGS.split(), *flags, "--disable-sync", f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        self.downloads, self._pictures = downloads, pictures
        self.driver = webdriver.Chrome(
            options=options, service=Service(find_program("chromedriver"))
        )
        self.pid = int(self.driver.capabilities.get("goog:processID", 0)) or _child_of(
            self.driver.service.process.pid
        )
        self.driver.set_script_timeout(30)
        self.set_screen(1360, 820)
        # The save dialog of the system would wait for a user.
        self.add_script(
            "delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker;"
        )

    def add_script(self, script: str) -> str:
        """Run a script before those of every page; return its id."""
        return self.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": script}
        )["identifier"]

    def remove_script(self, script: str) -> None:
        """Stop running a script added by `add_script`."""
        self.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )

    def set_screen(
        self, width: int, height: int, *, touch: bool = False, dark: bool = False
    ) -> None:
        """Emulate a screen size, touch input, and a colour scheme."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.set_colour_scheme(dark=dark)

    def set_colour_scheme(self, *, dark: bool) -> None:
        """Emulate the dark or the light colour scheme of the system."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, page: Path, *, begin: bool = True) -> None:
        """Open a page; `begin` closes its instructions."""
        self.driver.get(page.as_uri())
        self.wait_until_idle()
        if begin and self.js("return !!document.querySelector('dialog[open]')"):
            self.press(Keys.ENTER)

    def js(self, script: str, *arguments: object) -> Any:
        """Return the result of a script."""
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script: str, *arguments: object) -> Any:
        """Return the value that a script passes to its callback, which is its last argument."""
        return self.driver.execute_async_script(script, *arguments)

    def wait_until_idle(self) -> None:
        """Wait until saving and rendering have finished."""
        wait_until(lambda: self.js(IS_IDLE), seconds=20, pause=0.002)

    def send_keys(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys one after another while holding others, without waiting."""
        for key in keys:
            chain = ActionChains(self.driver, duration=0)
            for held in hold:
                chain = chain.key_down(held)
            chain = chain.send_keys(key)
            for held in reversed(hold):
                chain = chain.key_up(held)
            chain.perform()

    def press(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys, and wait after each until the page is idle."""
        for key in keys:
            self.send_keys(key, hold=hold)
            self.wait_until_idle()

    def press_control(self, key: str, *, shift: bool = False) -> None:
        """Press a key with Ctrl, optionally with Shift."""
        self.press(key, hold=(Keys.CONTROL, Keys.SHIFT) if shift else (Keys.CONTROL,))

    def raw_key(self, key: str, code: str, *, repeat: bool = False) -> None:
        """Press a key of another keyboard layout, given its character and its position."""
        event = {"type": "keyDown", "key": key, "code": code, "autoRepeat": repeat}
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**event, "type": "keyUp"})
        self.wait_until_idle()

    def text(self, selector: str) -> str:
        """Return the text of the first element that matches a selector."""
        return str(
            self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def click(self, selector: str) -> None:
        """Click the first element that matches a selector."""
        self.js("document.querySelector(arguments[0]).click()", selector)
        self.wait_until_idle()

    def click_button(self, label: str) -> None:
        """Click the last visible button whose text begins with the given words."""
        fitting = (
            "filter((button) => button.textContent.startsWith(arguments[0]) && button.offsetParent)"
        )
        self.js(f"[...document.querySelectorAll('button')].{fitting}.at(-1).click()", label)
        self.wait_until_idle()

    @property
    def message(self) -> str:
        """Last message of the page."""
        return self.text(".message p")

    @property
    def title(self) -> str:
        """Title of the current document."""
        return self.text(".sheet h1")

    def stored_actions(self) -> list[dict[str, Any]]:
        """Return the actions stored by the browser."""
        return [json.loads(text) for text in self.run_async(STORED_ACTIONS) or []]

    def clear_storage(self, origin: str = "file://") -> None:
        """Leave the page, and clear the storage of a server's pages, or of all local files."""
        self.js("try { sessionStorage.clear(); } catch {}")
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd(
            "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
        )

    def set_language(self, language: str) -> None:
        """Emulate a preferred language; an empty string restores the default."""
        agent = self.js("return navigator.userAgent") if language else ""
        self.driver.execute_cdp_cmd(
            "Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language}
        )

    def read_log(self) -> list[str]:
        """Return the new entries of the browser's log."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def wait_for_download(self, name: str) -> Path:
        """Return the path of a file after it was downloaded."""
        path = self.downloads / name
        wait_until(lambda: path.exists() and not list(self.downloads.glob("*.crdownload")))
        return path

    def snap(self, path: Path) -> None:
        """Save a screenshot if these are enabled; one takes as long as ten keys."""
        if not self._pictures:
            return
        path.parent.mkdir(exist_ok=True)
        # The driver's own function compresses as far as possible, which takes several times as
        # long.
        taken = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True}
        )
        path.write_bytes(base64.b64decode(taken["data"]))

    def quit(self) -> None:
        """Close the browser."""
        self.driver.quit()

    def kill(self) -> None:
        """Kill the browser without warning; call `clean_up` afterwards."""
        os.kill(self.pid, signal.SIGKILL)

    def clean_up(self) -> None:
        """Stop the driver of a killed browser."""
        self.driver.service.stop()


class Firefox:
    """Firefox with a profile, driven by Marionette."""

    def __init__(self, profile: Path, *names: str) -> None:
        """Start the browser; the host names in `names` are resolved to this machine."""
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
            find_program("firefox-esr", "firefox"),
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
        self.driver = import_marionette()[0].Marionette(host="127.0.0.1", port=port)
        self.driver.start_session()
        self.driver.timeout.script = 30

    def open(self, page: Path) -> None:
        """Open a page and close its instructions."""
        self.driver.navigate(page.as_uri())
        self.wait_until_idle()
        if self.js("return !!document.querySelector('dialog[open]')"):
            self.press("\ue007")

    def js(self, script: str, *arguments: object) -> Any:
        """Return the result of a script."""
        return self.driver.execute_script(script, script_args=list(arguments), sandbox=None)

    def run_async(self, script: str, *arguments: object) -> Any:
        """Return the value that a script passes to its callback, which is its last argument."""
        return self.driver.execute_async_script(script, script_args=list(arguments), sandbox=None)

    def wait_until_idle(self) -> None:
        """Wait until saving and rendering have finished."""
        wait_until(lambda: self.js(IS_IDLE), seconds=20, pause=0.002)

    def send_keys(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys one after another while holding others, without waiting."""
        for key in keys:
            chain = self.driver.actions.sequence("key", "keyboard_id")
            for held in hold:
                chain = chain.key_down(held)
            chain = chain.key_down(key).key_up(key)
            for held in reversed(hold):
                chain = chain.key_up(held)
            chain.perform()

    def press(self, *keys: str, hold: tuple[str, ...] = ()) -> None:
        """Press keys, and wait after each until the page is idle."""
        for key in keys:
            self.send_keys(key, hold=hold)
            self.wait_until_idle()

    def text(self, selector: str) -> str:
        """Return the text of the first element that matches a selector."""
        return str(
            self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def stored_actions(self) -> list[dict[str, Any]]:
        """Return the actions stored by the browser."""
        return [
            json.loads(text)
            for text in self.driver.execute_async_script(STORED_ACTIONS, sandbox=None) or []
        ]

    def clear_storage(self) -> None:
        """Leave the page, and clear the storage of all local files."""
        self._blank.write_text("<!doctype html>")
        self.driver.navigate(self._blank.as_uri())
        assert self.run_async(CLEAR_STORAGE)

    def kill(self) -> None:
        """Kill the browser and its child processes without warning; call `clean_up` afterwards."""
        os.killpg(self._process.pid, signal.SIGKILL)

    def clean_up(self) -> None:
        """Close the connection to a killed browser."""
        self._process.wait()
        self.driver.cleanup_ran = True  # otherwise it would connect again when it is deleted
        if self.driver.client:
            self.driver.client.close()

    def quit(self) -> None:
        """Close the browser."""
        self.kill()
        self.clean_up()


def import_marionette() -> Any:
    """Return Marionette's modules.

    Imported when needed, because importing takes half a second and emits warnings.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("marionette_driver.marionette"), importlib.import_module(
            "marionette_driver.errors"
        )


def wait_until(holds: Callable[[], bool], seconds: float = 15, pause: float = 0.02) -> None:
    """Wait until a condition holds; fail after a number of seconds.

    The intervals between checks grow, because each check costs the browser time.
    """
    begin = time.monotonic()
    while not holds():
        assert time.monotonic() < begin + seconds, f"still not so after {seconds} s"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.25)


def free_port() -> int:
    """Return a port on which no program listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _child_of(pid: int) -> int:
    """Return the first child process of a process: the browser of its driver."""
    completed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True
    )
    return int(completed.stdout.split()[0])
