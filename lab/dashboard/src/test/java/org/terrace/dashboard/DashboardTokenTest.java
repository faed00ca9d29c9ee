package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/** The token of the dashboard: where it is demanded, and what it is exchanged for. */
@Tag("real-processes")
@Tag("untimed")
class DashboardTokenTest {
  private static final String TOKEN = "a-token-of-more-than-twenty-characters";

  @TempDir Path folder;
  private Path served;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws IOException {
    served = Files.createDirectory(folder.resolve("served"));
    SampleResults.analysis(served.resolve("good"), 2_000);
    dashboard = start(Optional.of(token(TOKEN + "\n", "rw-------")));
  }

  private Dashboard start(Optional<Path> token) {
    return Dashboard.start(
        new DashboardOptions(served, "127.0.0.1", 0, token), TimeSource.system());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  private RawHttp.Answer get(String target, String... headers) {
    return RawHttp.get(dashboard.port(), target, headers);
  }

  @Test
  void withATokenNothingIsSeenWithoutIt() throws IOException {
    for (String target :
        List.of("/", "/result/good", "/report/good", "/rows", "/files/good?name=findings.json")) {
      RawHttp.Answer answer = get(target, "Cookie: terrace-" + dashboard.port() + "=guess");
      assertThat(answer.status()).as(target).isEqualTo(401);
      assertThat(answer.text()).contains("Sign in").doesNotContain("app1", "/result/good");
    }
    assertThat(get("/?token=wrong").status()).isEqualTo(401);
    assertThat(get("/assets/report.css").status()).isEqualTo(200);
  }

  @Test
  void theTokenIsExchangedForACookieOfItsOwn() throws IOException {
    RawHttp.Answer visit = get("/?token=" + TOKEN);
    RawHttp.Answer form =
        RawHttp.ask(
            dashboard.port(),
            "POST",
            "/session",
            "localhost:" + dashboard.port(),
            "token=" + TOKEN,
            "Origin: http://localhost:" + dashboard.port(),
            "Content-Type: application/x-www-form-urlencoded");

    for (RawHttp.Answer answer : List.of(visit, form)) {
      assertThat(answer.status()).isEqualTo(200);
      String cookie = answer.header("Set-Cookie");
      assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/").doesNotContain(TOKEN);
      assertThat(answer.text()).contains("0;url=/").doesNotContain(TOKEN);
      String pair = cookie.substring(0, cookie.indexOf(';'));
      assertThat(get("/", "Cookie: other=1; " + pair).text()).contains("/result/good");
    }
    assertThat(visit.header("Set-Cookie")).isNotEqualTo(form.header("Set-Cookie"));
    RawHttp.Answer foreign =
        RawHttp.ask(
            dashboard.port(),
            "POST",
            "/session",
            "localhost",
            "token=" + TOKEN,
            "Origin: http://evil.example");
    assertThat(foreign.status()).isEqualTo(403);
  }

  /** As of base64, in an address that somebody typed or that another program put together. */
  @Test
  void aTokenWithAPlusIsTakenFromAnAddressAsItIs() throws IOException {
    String token = "a+token+of/more=than+twenty";
    dashboard.close();
    dashboard = start(Optional.of(token(token, "rw-------")));

    assertThat(get("/?token=" + token).status()).isEqualTo(200);
    assertThat(get("/?token=" + token.replace("+", "%2B")).status()).isEqualTo(200);
    assertThat(get("/?token=" + token.replace("+", "")).status()).isEqualTo(401);
  }

  @Test
  void whoGuessesIsHeldUp() throws IOException {
    for (int guess = 0; guess < 10; guess++) {
      assertThat(get("/?token=guess-" + guess).status()).isEqualTo(401);
    }

    assertThat(get("/?token=" + TOKEN).status()).isEqualTo(429);
  }

  /** Behind a proxy all have one address, and so do the user and whoever guesses. */
  @Test
  void whoIsSignedInIsNotHeldUpByWhoGuesses() {
    String cookie = get("/?token=" + TOKEN).header("Set-Cookie");
    String pair = "Cookie: " + cookie.substring(0, cookie.indexOf(';'));
    for (int guess = 0; guess < 10; guess++) {
      assertThat(get("/?token=guess-" + guess).status()).isEqualTo(401);
    }

    assertThat(get("/", pair).text()).contains("/result/good");
    RawHttp.Answer again = get("/?token=" + TOKEN, pair);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Set-Cookie")).isEqualTo(cookie);
    assertThat(get("/?token=" + TOKEN, pair + "x").status()).isEqualTo(429);
  }

  private Path token(String text, String rights) throws IOException {
    Path file = folder.resolve("token");
    Files.deleteIfExists(file);
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
  }

  @Test
  void beyondLoopbackATokenIsDemandedAndOneThatIsASecret() throws IOException {
    assertThatThrownBy(() ->
            Dashboard.start(
                new DashboardOptions(served, "0.0.0.0", 0, Optional.empty()), TimeSource.system()))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--host 0.0.0.0")
        .hasMessageContaining("--token FILE");
    assertThatThrownBy(() -> start(Optional.of(token(TOKEN, "rw-r--r--"))))
        .hasMessageContaining("chmod 600");
    assertThatThrownBy(() -> start(Optional.of(token("short", "rw-------"))))
        .hasMessageContaining("at least 20 characters");
    assertThatThrownBy(() -> start(Optional.of(folder.resolve("none"))))
        .hasMessageContaining("cannot be read");
    Path file = token(TOKEN, "rw-------");
    try (Dashboard open =
        Dashboard.start(
            new DashboardOptions(served, "0.0.0.0", 0, Optional.of(file)), TimeSource.system())) {
      assertThat(RawHttp.ask(open.port(), "GET", "/", "127.0.0.1", "").status()).isEqualTo(401);
      assertThat(RawHttp.ask(open.port(), "GET", "/", "evil.example", "").status()).isEqualTo(421);
    }
  }
}
