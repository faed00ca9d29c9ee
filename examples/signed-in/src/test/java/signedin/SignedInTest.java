package signedin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The promise of the example, on real processes of which one is killed with SIGKILL. */
class SignedInTest {
  private static final int ITEMS_BEFORE_THE_KILL = 40;
  private static final int ITEMS_EACH_MAX = 1_000;
  private static final List<String> NAMES = List.of("ann", "bob", "cleo", "dan");

  /** Addresses that another run on this machine does not use. */
  private final String prefix =
      "127."
          + (64 + ProcessHandle.current().pid() % 128)
          + "."
          + ProcessHandle.current().pid() / 128 % 256;

  /** A visitor with a browser that keeps one cookie, whichever server answers. */
  private static final class Visitor {
    private static final Pattern TOKEN = Pattern.compile("name=.?_csrf.?[^>]*value=.([^\"']+).");
    private static final Pattern ITEM = Pattern.compile("<li>([^<]*)</li>");

    private final HttpClient browser;
    private final Servers servers;
    final String name;
    private String cookie = "";
    private String token = "";

    /** The items of which a server has said that they are in the basket. */
    final List<String> acknowledged = new ArrayList<>();

    Visitor(HttpClient browser, Servers servers, String name) {
      this.browser = browser;
      this.servers = servers;
      this.name = name;
    }

    private HttpResponse<String> send(int server, String path, String form)
        throws IOException, InterruptedException {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(servers.url(server) + path));
      if (!form.isEmpty()) {
        String body = form + "&_csrf=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        request
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body));
      }
      if (!cookie.isEmpty()) {
        request.header("Cookie", cookie);
      }
      HttpResponse<String> response = browser.send(request.build(), BodyHandlers.ofString());
      response.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.split(";")[0]);
      Matcher found = TOKEN.matcher(response.body());
      if (found.find()) {
        token = found.group(1);
      }
      return response;
    }

    void signIn(int server) throws IOException, InterruptedException {
      assertEquals(200, send(server, "/login", "").statusCode());
      HttpResponse<String> signedIn = send(server, "/login", "username=" + name + "&password=tea");
      assertEquals(302, signedIn.statusCode());
      assertTrue(!signedIn.headers().firstValue("Location").orElse("").contains("error"));
      look(server);
    }

    /** The items in the basket; fails if the visitor is asked to sign in. */
    List<String> look(int server) throws IOException, InterruptedException {
      HttpResponse<String> page = send(server, "/basket", "");
      assertEquals(200, page.statusCode(), "the page of the basket");
      assertTrue(page.body().contains("Basket of " + name), page.body());
      return ITEM.matcher(page.body()).results().map(match -> match.group(1)).toList();
    }

    void add(int server, String item) throws IOException, InterruptedException {
      HttpResponse<String> added = send(server, "/basket", "item=" + item);
      assertEquals(200, added.statusCode(), added.body());
      acknowledged.add(item);
    }

    /** Fills the basket until the server is gone. */
    void addUntilItDies(int server, Runnable added) throws InterruptedException {
      for (int i = 0; i < ITEMS_EACH_MAX; i++) {
        try {
          add(server, name + "-" + i);
        } catch (IOException e) {
          return; // no answer: whether it is in the basket is not known
        }
        added.run();
      }
    }
  }

  /** A visitor who signed in at either server stays signed in, and misses nothing acknowledged. */
  @Test
  void visitorsStaySignedInWhenTheirServerIsKilled() throws Exception {
    try (Servers servers = new Servers(prefix);
        HttpClient browser = HttpClient.newHttpClient();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Visitor> visitors = new ArrayList<>();
      for (String name : NAMES) {
        Visitor visitor = new Visitor(browser, servers, name);
        visitor.signIn(visitors.size() % Servers.COUNT + 1);
        visitors.add(visitor);
      }

      AtomicInteger items = new AtomicInteger();
      List<Future<?>> filling = new ArrayList<>();
      for (Visitor visitor : visitors) {
        filling.add(
            threads.submit(() -> {
              visitor.addUntilItDies(
                  1,
                  () -> {
                    if (items.incrementAndGet() == ITEMS_BEFORE_THE_KILL) {
                      servers.process(1).destroyForcibly();
                    }
                  });
              return null;
            }));
      }
      for (Future<?> each : filling) {
        each.get();
      }
      assertTrue(servers.process(1).waitFor() != 0 && servers.process(2).isAlive());

      for (Visitor visitor : visitors) {
        List<String> basket = visitor.look(2);
        assertTrue(
            basket.containsAll(visitor.acknowledged),
            () -> visitor.name + " misses of " + visitor.acknowledged + " in " + basket);
        visitor.add(2, "more");
        assertTrue(visitor.look(2).contains("more"));
      }
      assertTrue(items.get() >= ITEMS_BEFORE_THE_KILL);
    }
  }
}
