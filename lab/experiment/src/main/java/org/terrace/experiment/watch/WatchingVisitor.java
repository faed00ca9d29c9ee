package org.terrace.experiment.watch;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/**
 * One visitor who signs in, keeps drafts and looks for them. Confined to one thread until that has
 * ended.
 */
public final class WatchingVisitor {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final String COOKIE = "board_session=";
  private static final Pattern STORY = Pattern.compile("/view-story\\?story=([0-9]+)");
  private static final Pattern DRAFT = Pattern.compile("draft number ([0-9]+)\\.");

  private final HttpClient client;
  private final URI site;
  private final TimeSource time;
  private final String nickname;
  private final String password;
  private @Nullable String story;
  private @Nullable String cookie;
  private boolean signedIn;
  private long number;
  private long acknowledged;
  private long saves;
  private long reads;
  private long signedOut;
  private long lost;
  private long failed;
  private long foundNanos;

  /** The visitor of that number, who has an account at the site. */
  public WatchingVisitor(HttpClient client, URI site, int visitor, TimeSource time) {
    this.client = client;
    this.site = site;
    this.time = time;
    this.nickname = "user" + visitor;
    this.password = "password" + visitor;
  }

  /** Keeps one more draft, and looks whether it is there. */
  public void keepAndLook() throws InterruptedException {
    if (story == null) {
      story =
          send(HttpRequest.newBuilder(site.resolve("/"))).flatMap(this::firstStory).orElse(null);
    }
    String about = story;
    if (about == null) {
      return;
    }
    keep(about);
    if (acknowledged > 0) {
      look(about);
    }
  }

  private Optional<String> firstStory(String page) {
    Matcher matcher = STORY.matcher(page);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private void keep(String about) throws InterruptedException {
    number++;
    String fields = "keep=draft&story=" + about + "&subject=x&body=draft+number+" + number + ".";
    boolean introduced = signedIn;
    if (!introduced) {
      fields += "&nickname=" + nickname + "&password=" + password;
    }
    Optional<String> page =
        send(
            HttpRequest.newBuilder(site.resolve("/store-comment"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(fields)));
    if (page.isEmpty()) {
      return;
    }
    if (checkKnown(page.get(), introduced)) {
      signedIn = true;
      acknowledged = number;
      saves++;
    }
  }

  private void look(String about) throws InterruptedException {
    long begun = time.epochNanos();
    Optional<String> page =
        send(HttpRequest.newBuilder(site.resolve("/post-comment?story=" + about)));
    if (page.isEmpty()) {
      return;
    }
    reads++;
    if (!checkKnown(page.get(), true)) {
      return;
    }
    Matcher draft = DRAFT.matcher(page.get());
    long found = draft.find() ? Long.parseLong(draft.group(1)) : 0;
    if (found < acknowledged) {
      lost++;
      acknowledged = found;
      return;
    }
    foundNanos = begun;
  }

  /** Whether the page knows the visitor; counts it when it should and does not. */
  private boolean checkKnown(String page, boolean expected) {
    boolean known = page.contains("<b>" + nickname + "</b>");
    if (!known && expected) {
      signedOut++;
    }
    if (!known) {
      signedIn = false;
      acknowledged = 0;
    }
    return known;
  }

  /** The page; empty when there was none, which is counted. */
  private Optional<String> send(HttpRequest.Builder request) throws InterruptedException {
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    try {
      HttpResponse<String> response =
          client.send(request.timeout(ANSWER_WITHIN).build(), BodyHandlers.ofString());
      response
          .headers()
          .firstValue("Set-Cookie")
          .filter(value -> value.startsWith(COOKIE))
          .ifPresent(value -> cookie = value.split(";", 2)[0]);
      if (response.statusCode() == HttpURLConnection.HTTP_OK) {
        return Optional.of(response.body());
      }
    } catch (IOException e) {
      // A server died on the way: that is what is watched, and it is counted below.
      assert e != null;
    }
    failed++;
    return Optional.empty();
  }

  /** Drafts that the site said it keeps. */
  public long saves() {
    return saves;
  }

  /** Pages on which a kept draft was looked for. */
  public long reads() {
    return reads;
  }

  /** Pages on which a visitor who was signed in was a stranger. */
  public long signedOut() {
    return signedOut;
  }

  /** Pages on which a draft was older than the last one said to be kept. */
  public long lost() {
    return lost;
  }

  /** Requests without a page. */
  public long failed() {
    return failed;
  }

  /**
   * The beginning of the last look that found the last draft, in nanoseconds since the Unix epoch;
   * 0 where none did.
   */
  public long foundNanos() {
    return foundNanos;
  }
}
