package org.terrace.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.terrace.core.process.Keeper;
import tools.jackson.databind.JsonNode;

/**
 * A Chromium without a window that a test drives through the DevTools protocol: it opens pages,
 * presses keys, evaluates JavaScript, takes pictures, and remembers what the pages wrote on the
 * console. Confined to one thread; every call blocks until the browser has answered.
 */
public final class HeadlessChromium implements AutoCloseable {
  private static final List<Path> PROGRAMS =
      List.of(
          Path.of("/usr/bin/chromium"),
          Path.of("/usr/bin/chromium-browser"),
          Path.of("/usr/bin/google-chrome"));

  private static final String LISTENING = "DevTools listening on ";
  private static final int EXIT_SECONDS = 10;
  private static final int DELETE_ATTEMPTS = 5;

  private final Process process;
  private final Path profile;
  private final DevTools devTools;
  private final String session;

  private HeadlessChromium(Process process, Path profile, DevTools devTools) {
    this.process = process;
    this.profile = profile;
    this.devTools = devTools;
    String target =
        devTools
            .call("", "Target.createTarget", Map.of("url", "about:blank"))
            .path("targetId")
            .stringValue();
    this.session =
        devTools
            .call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .stringValue();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
  }

  /** The program, or empty where no Chromium is installed at its usual place. */
  public static Optional<Path> find() {
    return PROGRAMS.stream().filter(Files::isExecutable).findFirst();
  }

  /** Starts a browser whose pages are as large as given, in CSS pixels. */
  public static HeadlessChromium start(int width, int height) throws IOException {
    Path program = find().orElseThrow(() -> new IOException("no Chromium at " + PROGRAMS));
    Path profile = Files.createTempDirectory("terrace-chromium");
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "--window-size=" + width + "," + height)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    try {
      HeadlessChromium started =
          new HeadlessChromium(process, profile, DevTools.connect(devToolsAddress(process)));
      started.resize(width, height);
      return started;
    } catch (IOException | RuntimeException e) {
      end(process);
      delete(profile);
      throw e;
    }
  }

  /** Opens a page and waits for its load event. */
  public void open(URI page) {
    devTools.expect("Page.loadEventFired");
    JsonNode answer = call("Page.navigate", Map.of("url", page.toString()));
    if (answer.has("errorText")) {
      throw new IllegalStateException(page + ": " + answer.path("errorText").stringValue());
    }
    devTools.await("Page.loadEventFired");
  }

  /** Does what leads to another page, a click for example, and waits for that page's load event. */
  public void openBy(Runnable action) {
    devTools.expect("Page.loadEventFired");
    action.run();
    devTools.await("Page.loadEventFired");
  }

  /** The value of a JavaScript expression as JSON; promises are awaited. */
  public JsonNode evaluate(String expression) {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /** Presses and releases a key, named as in {@code KeyboardEvent.key}. */
  public void press(String key) {
    for (String type : List.of("keyDown", "keyUp")) {
      call("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key));
    }
  }

  /** Clicks at a point of the visible part of the page, in CSS pixels. */
  public void click(double x, double y) {
    mouse("mouseMoved", x, y);
    mouse("mousePressed", x, y);
    mouse("mouseReleased", x, y);
  }

  /** Presses the mouse at one point and releases it at another. */
  public void drag(double fromX, double fromY, double toX, double toY) {
    mouse("mouseMoved", fromX, fromY);
    mouse("mousePressed", fromX, fromY);
    mouse("mouseMoved", (fromX + toX) / 2, (fromY + toY) / 2);
    mouse("mouseMoved", toX, toY);
    mouse("mouseReleased", toX, toY);
  }

  /** Moves the mouse to a point of the visible part of the page. */
  public void point(double x, double y) {
    mouse("mouseMoved", x, y);
  }

  /** Makes the page as large as given, in CSS pixels. */
  public void resize(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Sets what the page learns of a media feature, for example {@code prefers-color-scheme}. */
  public void media(String feature, String value) {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", feature, "value", value))));
  }

  /** A picture of the visible part of the page, or of the whole page, as PNG. */
  public byte[] screenshot(boolean wholePage) {
    JsonNode answer =
        call("Page.captureScreenshot", Map.of("captureBeyondViewport", wholePage, "format", "png"));
    return Base64.getDecoder().decode(answer.path("data").stringValue());
  }

  /** The page as it is printed, as PDF. */
  public byte[] pdf() {
    JsonNode answer = call("Page.printToPDF", Map.of("preferCSSPageSize", true));
    return Base64.getDecoder().decode(answer.path("data").stringValue());
  }

  /** The errors on the console and the uncaught exceptions since the start, oldest first. */
  public List<String> errors() {
    List<String> errors = new ArrayList<>();
    for (JsonNode event : devTools.events()) {
      String method = event.path("method").stringValue();
      JsonNode parameters = event.path("params");
      if (method.equals("Runtime.exceptionThrown")) {
        errors.add(parameters.path("exceptionDetails").toString());
      } else if (method.equals("Runtime.consoleAPICalled")
          && parameters.path("type").asString("").equals("error")) {
        errors.add(parameters.path("args").toString());
      } else if (method.equals("Log.entryAdded")
          && parameters.path("entry").path("level").asString("").equals("error")) {
        errors.add(parameters.path("entry").path("text").stringValue());
      }
    }
    return errors;
  }

  /** The addresses that pages asked for since the start, in their order. */
  public List<String> requests() {
    return devTools.events().stream()
        .filter(event -> event.path("method").asString("").equals("Network.requestWillBeSent"))
        .map(event -> event.path("params").path("request").path("url").stringValue())
        .toList();
  }

  /** Calls any other method of the protocol on the page. */
  public JsonNode call(String method, Map<String, ?> parameters) {
    return devTools.call(session, method, parameters);
  }

  /** Ends the browser with all its processes and removes what it stored. */
  @Override
  public void close() {
    devTools.close();
    end(process);
    delete(profile);
  }

  private void mouse(String type, double x, double y) {
    call(
        "Input.dispatchMouseEvent",
        Map.of("type", type, "x", x, "y", y, "button", "left", "buttons", 1, "clickCount", 1));
  }

  private static URI devToolsAddress(Process process) throws IOException {
    BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
    String line;
    while ((line = lines.readLine()) != null) {
      if (line.startsWith(LISTENING)) {
        Thread.ofVirtual().start(() -> drain(lines));
        return URI.create(line.substring(LISTENING.length()).strip());
      }
    }
    throw new IOException("Chromium ended without saying where it listens");
  }

  /** Keeps the browser from blocking on a full pipe. */
  private static void drain(BufferedReader lines) {
    try (lines) {
      while (lines.readLine() != null) {}
    } catch (IOException e) {
      // The browser has ended.
    }
  }

  private static void end(Process process) {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** A process that is still ending may write a last file, so removal is tried a few times. */
  private static void delete(Path directory) {
    for (int attempt = 0; attempt < DELETE_ATTEMPTS && Files.exists(directory); attempt++) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException | UncheckedIOException e) {
        // A file vanished meanwhile: walk again.
      }
    }
  }
}
