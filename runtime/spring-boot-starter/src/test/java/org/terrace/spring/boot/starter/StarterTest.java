package org.terrace.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.spring.cache.TerraceCacheManager;
import org.terrace.collections.spring.session.TerraceSessionRepository;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** Two Spring Boot applications in one process, which know each other by properties alone. */
@Tag("real-processes")
@Tag("untimed")
class StarterTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Addresses that another run on this machine does not use. */
  private static final String PREFIX =
      "127."
          + (64 + ProcessHandle.current().pid() % 128)
          + "."
          + ProcessHandle.current().pid() / 128 % 256;

  private static final String FIRST = PREFIX + ".1";
  private static final String SECOND = PREFIX + ".2";

  /** A value that the application caches. */
  record Price(String product, int cents) implements Serializable {}

  /** An application as users have it. */
  @SpringBootApplication
  @EnableCaching(proxyTargetClass = true)
  @RestController
  static class Application {
    private final AtomicInteger lookups = new AtomicInteger();
    private final List<LivenessState> liveness = new ArrayList<>();

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("ann").password("{noop}tea").roles("USER").build());
    }

    @GetMapping("/hello")
    public String hello(Principal visitor) {
      return "hello " + visitor.getName();
    }

    @GetMapping("/price")
    @Cacheable("prices")
    public String price(@RequestParam("product") String product) {
      return product + " " + lookups.incrementAndGet();
    }

    synchronized boolean isBroken() {
      return liveness.contains(LivenessState.BROKEN);
    }

    @EventListener
    public synchronized void heard(AvailabilityChangeEvent<LivenessState> event) {
      liveness.add(event.getState());
    }
  }

  private static ConfigurableApplicationContext first;
  private static ConfigurableApplicationContext second;

  @BeforeAll
  static void start() {
    first = start("app1", FIRST, SECOND, "terrace.expected-members=3");
    second = start("app2", SECOND, FIRST);
  }

  private static ConfigurableApplicationContext start(
      String member, String address, String contact, String... properties) {
    SpringApplication application = new SpringApplication(Application.class);
    application.setDefaultProperties(
        Map.of(
            "terrace.member",
            member,
            "terrace.address",
            address,
            "terrace.contacts",
            contact,
            "terrace.caches.prices.time-to-live",
            "1h",
            "server.address",
            address,
            "server.port",
            "0",
            "spring.main.banner-mode",
            "off",
            "logging.level.root",
            "warn"));
    return application.run(
        Stream.of(properties).map(property -> "--" + property).toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  private static HttpResponse<String> call(
      ConfigurableApplicationContext server, String path, Optional<String> form, String cookie)
      throws Exception {
    var environment = server.getEnvironment();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://"
                        + environment.getProperty("server.address")
                        + ":"
                        + environment.getProperty("local.server.port")
                        + path))
            .header("Accept", "text/html");
    form.ifPresent(body ->
        request
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body)));
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    try (HttpClient browser = HttpClient.newHttpClient()) {
      return browser.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static String cookieOf(HttpResponse<String> response) {
    return response.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
  }

  @Test
  @Tag("long")
  void whoSignsInAtOneServerIsKnownAtTheOther() throws Exception {
    HttpResponse<String> form = call(first, "/login", Optional.empty(), "");
    String token = form.body().replaceFirst("(?s).*name=\"_csrf\"[^>]*value=\"([^\"]+)\".*", "$1");
    HttpResponse<String> in =
        call(
            second, // the form came from the first: the token against forgery is replicated, too
            "/login",
            Optional.of("username=ann&password=tea&_csrf=" + token),
            cookieOf(form));
    assertThat(in.statusCode()).isEqualTo(302);
    String cookie = cookieOf(in);
    assertThat(cookie).isNotEqualTo(cookieOf(form));

    assertThat(call(first, "/hello", Optional.empty(), cookie).body()).isEqualTo("hello ann");
    assertThat(call(first, "/hello", Optional.empty(), cookieOf(form)).statusCode())
        .as("the identifier from before")
        .isEqualTo(302);
    var sessions = first.getBean(TerraceSessionRepository.class);
    assertThat(sessions.findByPrincipalName("ann")).hasSize(1);

    assertThat(call(first, "/price?product=tea", Optional.empty(), cookie).body())
        .isEqualTo("tea 1");
    CacheManager caches = second.getBean(CacheManager.class);
    assertThat(caches).isInstanceOf(TerraceCacheManager.class);
    assertThat(Await.until(SOON, () -> caches.getCache("prices").get("tea") != null)).isTrue();
    assertThat(call(second, "/price?product=tea", Optional.empty(), cookie).body())
        .isEqualTo("tea 1");

    String sessionId = sessions.findByPrincipalName("ann").keySet().iterator().next();
    second.getBean(TerraceSessionRepository.class).deleteById(sessionId);
    assertThat(call(first, "/hello", Optional.empty(), cookie).statusCode()).isEqualTo(302);
  }

  @Test
  void healthAndMetricsAreThereForWhoeverReadsThem() {
    HealthIndicator indicator = first.getBean("terraceHealthIndicator", HealthIndicator.class);
    assertThat(Await.until(SOON, () -> seenBy(indicator).contains("app2"))).isTrue();
    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    assertThat(indicator.health().getDetails())
        .containsEntry("member", "app1")
        .containsEntry("expectedMembers", 3)
        .containsEntry("belowExpected", true)
        .containsEntry("minority", false)
        .containsEntry("protocolVersion", Group.PROTOCOL_VERSION)
        .containsEntry("protocolVersionOfOthers", Group.PROTOCOL_VERSION);

    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    first.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
    assertThat(registry.get("terrace.group.members").gauge().value()).isGreaterThan(1);
    assertThat(registry.get("terrace.collections.entries").gauge()).isNotNull();
  }

  @Test
  @Tag("long")
  void aServerWhoseNameDoesNotComeBackIsForgottenWhenItIsStopped() {
    String stays = PREFIX + ".5";
    String group = "terrace.group=deployment";
    try (ConfigurableApplicationContext one = start("app-7d9c5b-aaaaa", stays, stays, group)) {
      ReplicatedCollections collections = one.getBean(ReplicatedCollections.class);
      Group seen = one.getBean(Group.class);
      start("app-7d9c5b-bbbbb", PREFIX + ".6", stays, group, "terrace.leave-timeout=30s").close();
      assertThat(collections.metrics().replicasKnown()).as("it was there").isEqualTo(2);
      assertThat(Await.until(SOON, () -> seen.view().others().isEmpty())).isTrue();
      assertThat(collections.metrics().replicasAway()).isZero();

      start("app-5f6d7c-ccccc", PREFIX + ".7", stays, group).close();
      assertThat(Await.until(SOON, () -> collections.metrics().replicasAway() == 1))
          .as("one that does not leave is waited for")
          .isTrue();
    }
  }

  private static Collection<?> seenBy(HealthIndicator indicator) {
    return (Collection<?>) indicator.health().getDetails().get("members");
  }

  @Test
  @Tag("long")
  void aServerWhoseNameAnotherProcessTookIsNotAlive() {
    try (ConfigurableApplicationContext older = start("app3", PREFIX + ".3", FIRST)) {
      Group group = older.getBean(Group.class);
      HealthIndicator health = older.getBean("terraceHealthIndicator", HealthIndicator.class);
      GroupOptions younger =
          GroupOptions.of("terrace", "app3", Discovery.of(List.of(group.self().address())))
              .withAddress(InetAddress.ofLiteral(PREFIX + ".4"), 0);
      try (Group taker = Groups.open(younger)) {
        assertThat(Await.until(SOON, () -> group.exclusion().isPresent())).isTrue();
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsKey("excluded");
        Application application = older.getBean(Application.class);
        assertThat(Await.until(SOON, application::isBroken)).isTrue();
        assertThat(taker.exclusion()).isEmpty();
      }
    }
  }
}
