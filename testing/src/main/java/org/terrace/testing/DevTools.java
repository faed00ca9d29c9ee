package org.terrace.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * A connection to a browser's DevTools: calls with their answers, and the events between them.
 * Called from one thread; the WebSocket's own thread delivers.
 */
final class DevTools implements WebSocket.Listener, AutoCloseable {
  /** The time that any answer may take, beside a build that keeps every processor busy. */
  private static final int ANSWER_SECONDS = 180;

  private final ObjectMapper json = new JsonMapper();
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<JsonNode>> expected = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new ArrayList<>();
  private final StringBuilder partial = new StringBuilder();
  private final HttpClient client = HttpClient.newHttpClient();
  private @Nullable WebSocket socket;

  private DevTools() {}

  static DevTools connect(URI address) throws IOException {
    DevTools devTools = new DevTools();
    devTools.socket = get(devTools.client.newWebSocketBuilder().buildAsync(address, devTools));
    return devTools;
  }

  /** Calls a method in a session, or of the browser where the session is empty. */
  JsonNode call(String session, String method, Map<String, ?> parameters) {
    int id = lastId.incrementAndGet();
    Map<String, Object> message = new HashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    JsonNode result;
    try {
      get(open.sendText(json.writeValueAsString(message), true));
      result = get(answer);
    } catch (IOException e) {
      throw new IllegalStateException(method + ": " + e.getMessage(), e);
    }
    if (result.has("error")) {
      throw new IllegalStateException(method + ": " + result.path("error"));
    }
    return result.path("result");
  }

  /** Announces that an event will be awaited, before the call that leads to it. */
  void expect(String event) {
    expected.put(event, new CompletableFuture<>());
  }

  /** Waits for an event that was announced. */
  void await(String event) {
    try {
      get(expected.getOrDefault(event, CompletableFuture.failedFuture(new IOException(event))));
    } catch (IOException e) {
      throw new IllegalStateException("no " + event + ": " + e.getMessage(), e);
    }
  }

  /** All events since the connection was made. */
  List<JsonNode> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      deliver(json.readTree(partial.toString()));
      partial.setLength(0);
    }
    webSocket.request(1);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    answers.values().forEach(answer -> answer.completeExceptionally(error));
    expected.values().forEach(event -> event.completeExceptionally(error));
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
    client.shutdownNow();
  }

  private void deliver(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.path("id").intValue());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    synchronized (events) {
      events.add(message);
    }
    CompletableFuture<JsonNode> event = expected.get(message.path("method").asString(""));
    if (event != null) {
      event.complete(message);
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws IOException {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + ANSWER_SECONDS + " s", e);
    }
  }
}
