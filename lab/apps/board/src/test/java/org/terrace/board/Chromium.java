package org.terrace.board;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A headless Chromium with one tab, driven over its DevTools protocol: it opens pages, clicks with
 * the mouse where an element is, and types on the keyboard.
 */
final class Chromium implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final int LONGEST_SECONDS = 60;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path profile;
  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final WebSocket socket;
  private int lastId;

  private Chromium(Process process, Path profile, URI address) {
    this.process = process;
    this.profile = profile;
    this.socket = client.newWebSocketBuilder().buildAsync(address, new Listener()).join();
  }

  /** The program, where it is installed. */
  static Optional<String> program() {
    return PROGRAMS.stream().filter(program -> Files.isExecutable(Path.of(program))).findFirst();
  }

  static Chromium start(String program) throws Exception {
    Path profile = Files.createTempDirectory("terrace-chromium-");
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--disable-extensions",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=900,1200",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path portFile = profile.resolve("DevToolsActivePort");
    for (int i = 0; i < LONGEST_SECONDS * 20 && process.isAlive(); i++) {
      if (Files.exists(portFile) && Files.readAllLines(portFile).size() == 2) {
        break;
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    String port = Files.readAllLines(portFile).getFirst();
    return new Chromium(process, profile, tab(port));
  }

  private static URI tab(String port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request =
          java.net.http.HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json"))
              .build();
      String list = client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString()).body();
      for (JsonNode target : JSON.readTree(list)) {
        if (target.get("type").asString().equals("page")) {
          return URI.create(target.get("webSocketDebuggerUrl").asString());
        }
      }
      throw new IllegalStateException("Chromium has no tab: " + list);
    }
  }

  /** Opens an address and waits until it is loaded. */
  void open(String url) {
    call("Page.enable", Map.of());
    call("Page.navigate", Map.of("url", url));
    awaitEvent("Page.loadEventFired");
  }

  /** Clicks in the middle of an element and waits until the page that follows is loaded. */
  void clickThrough(String selector) {
    click(selector);
    awaitEvent("Page.loadEventFired");
  }

  /** Clicks in the middle of an element. */
  void click(String selector) {
    String place =
        read(
            "(e => { e.scrollIntoView({block: 'center'}); const r = e.getClientRects()[0];"
                + " return [r.x + r.width / 2, r.y + r.height / 2].join(' '); })"
                + "(document.querySelector("
                + JSON.writeValueAsString(selector)
                + "))");
    String[] xy = place.split(" ", 2);
    messages.clear();
    for (String type : List.of("mousePressed", "mouseReleased")) {
      call(
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              type,
              "x",
              Double.valueOf(xy[0]),
              "y",
              Double.valueOf(xy[1]),
              "button",
              "left",
              "clickCount",
              1));
    }
  }

  /** Clicks into a field and types. */
  void type(String selector, String text) {
    click(selector);
    call("Input.insertText", Map.of("text", text));
  }

  /** The value of an expression of the page, as a string. */
  String read(String expression) {
    JsonNode result =
        call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")")).get("result");
    if (!result.path("type").asString("").equals("string")) {
      throw new AssertionError(expression + " gave " + result);
    }
    return result.get("value").asString();
  }

  /** The text of an element. */
  String text(String selector) {
    return read("document.querySelector(" + JSON.writeValueAsString(selector) + ").innerText");
  }

  /** The state that the page says it is. */
  String state() {
    return read("document.querySelector('meta[name=page]').content");
  }

  /** Shows pages as on another screen. */
  void screen(int width, int height, String colorScheme) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** A picture of what is seen, as PNG. */
  byte[] picture() {
    return Base64.getDecoder()
        .decode(call("Page.captureScreenshot", Map.of("format", "png")).get("data").asString());
  }

  private JsonNode call(String method, Map<String, ?> parameters) {
    int id = ++lastId;
    socket
        .sendText(
            JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
        .join();
    List<JsonNode> others = new ArrayList<>();
    while (true) {
      JsonNode message = next(method);
      if (message.path("id").asInt(0) == id) {
        messages.addAll(others);
        if (message.has("error")) {
          throw new AssertionError(method + " " + parameters + ": " + message.get("error"));
        }
        return message.get("result");
      }
      others.add(message);
    }
  }

  private void awaitEvent(String event) {
    while (!next(event).path("method").asString("").equals(event)) {
      // Events of other kinds are of no interest.
    }
  }

  private JsonNode next(String awaited) {
    try {
      JsonNode message = messages.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("Chromium said nothing while waiting for " + awaited);
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    client.close();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
    process.onExit().join();
    children.forEach(child -> child.onExit().join());
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Puts whole messages into the queue. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
      part.append(text);
      if (last) {
        messages.add(JSON.readTree(part.toString()));
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
