"""browser.py - Debian's Chromium without a window, driven over WebDriver."""

import json

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

DESKTOP = 1440
PHONE = 360


class Browser:
    """One browser for all pages."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-background-networking"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs",
                               {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"),
                                       options=options)
        self.driver.set_script_timeout(60)

    def close(self):
        """Ends the browser."""
        self.driver.quit()

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, path, width=DESKTOP, dark=False, script=True):
        """Opens a file as people see it: how wide, how dark, with script or
        without. Forgets what was logged before."""
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.command("Emulation.setDeviceMetricsOverride", width=width,
                     height=1000, deviceScaleFactor=1, mobile=width < 600)
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        self.console()
        self.requests()
        self.driver.get("file://" + path)
        if script:
            self.settle()

    def settle(self, milliseconds=10):
        """Waits until the page has drawn what it had to."""
        self.driver.execute_async_script(
            "const [time, done] = arguments;"
            "setTimeout(() => requestAnimationFrame("
            "() => requestAnimationFrame(() => done())), time)", milliseconds)

    def run(self, script, *arguments):
        """What a script of the test returns."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        """The first element that fits."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        """All of them."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, selector, *keys):
        """Types into an element; names of keys are those of Keys."""
        self.find(selector).send_keys(
            *[getattr(Keys, key, key) for key in keys])
        self.settle()

    def click(self, selector):
        """Clicks in the middle of an element."""
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.settle()

    def choose(self, name, value):
        """Chooses an entry of a list in the filter."""
        self.run("""const [select, value] = arguments;
            return [...select.options].find(one => one.value === value);""",
                 self.find(f'#filter select[name="{name}"]'), value).click()
        self.settle()

    def console(self):
        """What the page wrote to the console since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since then."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def shoot(self, path):
        """A picture of the whole page, up to a length that can be looked at."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return innerWidth")
        self.command("Emulation.setDeviceMetricsOverride", width=width,
                     height=min(height, 8000), deviceScaleFactor=1,
                     mobile=width < 600)
        self.settle()
        self.driver.save_screenshot(path)
