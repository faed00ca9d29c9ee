package org.terrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestDeduplicationMetrics;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.invocation.Read;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.testing.Await;

/** The metrics of real groups, collections and services, read as monitoring systems read them. */
@Tag("real-processes")
@Tag("untimed")
class RuntimeMetricsTest {
  private static final Path GUIDE =
      Path.of(System.getProperty("terrace.root", "../.."), "docs/guide/metrics.md");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  /** Says hello. */
  interface Greeting {
    @Read
    String hello();
  }

  private static Group open(String name, InetSocketAddress... others) {
    return Groups.open(
        GroupOptions.of("metrics", name, Discovery.of(List.of(others)))
            .withAddress(InetAddress.ofLiteral("127.66.1.1"), 0));
  }

  @Test
  void aGroupAndItsCollectionsAreSeenByJmxAndMicrometer() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Group group = open("app1");
        Group other = open("app2", group.self().address());
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
        var others = ReplicatedCollections.open(other, CollectionsOptions.defaults())) {
      assertThat(Await.until(SOON, () -> group.view().members().size() == 2)).isTrue();
      try (JmxMetrics members = JmxMetrics.register(MetricSet.of(group));
          JmxMetrics entries = JmxMetrics.register(MetricSet.of("app1", collections))) {
        new MicrometerMetrics(MetricSet.of(group)).bindTo(registry);
        new MicrometerMetrics(MetricSet.of("app1", collections)).bindTo(registry);
        assertThat(BEANS.getAttribute(members.name(), "members")).isEqualTo(2L);

        var options = MapOptions.of(Codecs.string(), Codecs.string());
        collections.map("carts", options).put("ann", "tea");
        others.map("carts", options).put("bob", "milk");

        assertThat(BEANS.getAttribute(entries.name(), "entries")).isEqualTo(2L);
        assertThat((long) BEANS.getAttribute(entries.name(), "updatesApplied")).isPositive();
        assertThat(value(registry, "terrace.collections.entries")).isEqualTo(2);
        assertThat(value(registry, "terrace.group.members")).isEqualTo(2);
        assertThat(value(registry, "terrace.group.messages.sent")).isPositive();
        assertThat(value(registry, "terrace.group.excluded")).isZero();
      }
      assertThat(BEANS.isRegistered(new ObjectName("org.terrace:type=group,name=\"app1\"")))
          .isFalse();
    }
  }

  private static double value(MeterRegistry registry, String name) {
    Meter meter = registry.get(name).tag("member", "app1").meter();
    return meter.measure().iterator().next().getValue();
  }

  @Test
  void aMemberThatSeesFewerThanItExpectsSaysSo() {
    MeterRegistry registry = new SimpleMeterRegistry();
    GroupOptions three =
        GroupOptions.of("metrics", "app1", Discovery.of(List.of())).withExpectedMembers(3);
    try (Group group = Groups.open(three)) {
      new MicrometerMetrics(MetricSet.of(group)).bindTo(registry);
      assertThat(value(registry, "terrace.group.expected.members")).isEqualTo(3);
      assertThat(value(registry, "terrace.group.below.expected")).isEqualTo(1);
      assertThat(value(registry, "terrace.group.minority")).isEqualTo(1);
    }
  }

  @Test
  void aServersCallsAndHealthAreSeen() throws Exception {
    try (ServiceServer server =
        ServiceServer.open(ServerOptions.of("app1").withUnsharedReplies())) {
      server.export("greeting", Greeting.class, () -> "hello", Style.WARM_PASSIVE);
      try (JmxMetrics bean = JmxMetrics.register(MetricSet.of("app1", server));
          ServiceClient client =
              ServiceClient.open(
                  ClientOptions.of(
                      Naming.fixed("greeting", Style.WARM_PASSIVE, server.endpoint())))) {
        long before = (long) BEANS.getAttribute(bean.name(), "answered");
        client.stub(Greeting.class, "greeting").hello();

        assertThat((long) BEANS.getAttribute(bean.name(), "answered")).isGreaterThan(before);
        assertThat(BEANS.getAttribute(bean.name(), "healthy")).isEqualTo(1L);
      }
    }
  }

  @Test
  void aCounterIsReadForAsLongAsTheRegistryIsThere() {
    MeterRegistry registry = new SimpleMeterRegistry();
    long[] count = {1};
    WeakReference<MetricSet> bound = bind(registry, count);
    while (bound.get() != null) {
      System.gc();
    }
    count[0] = 7;

    assertThat(registry.get("terrace.part.count").functionCounter().count()).isEqualTo(7);
  }

  /** Binds a set that nobody holds afterwards. */
  private static WeakReference<MetricSet> bind(MeterRegistry registry, long[] count) {
    MetricSet metrics =
        new MetricSet(
            "part",
            "app1",
            List.of(
                new RuntimeMetric("count", RuntimeMetric.Kind.COUNTER, "a count", () -> count[0])));
    new MicrometerMetrics(metrics).bindTo(registry);
    return new WeakReference<>(metrics);
  }

  @Test
  void everyFigureOfTheRecordsIsAMetric() {
    try (Group group = open("app1");
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults())) {
      assertThat(names(MetricSet.of(group).metrics())).containsAll(components(GroupCounters.class));
      assertThat(names(MetricSet.of("app1", collections).metrics()))
          .containsExactlyInAnyOrderElementsOf(components(CollectionsMetrics.class));
    }
    assertThat(names(RequestFigures.of(() -> NONE)))
        .containsExactlyInAnyOrderElementsOf(components(RequestDeduplicationMetrics.class));
  }

  /** Each question takes the lock that all calls need, and counts everything. */
  @Test
  void allFiguresOfAPartAreOfOneQuestion() {
    AtomicInteger asked = new AtomicInteger();
    List<RuntimeMetric> figures =
        RequestFigures.of(() -> {
          asked.incrementAndGet();
          return NONE;
        });
    figures.forEach(RuntimeMetric::value);
    // One; another tenth of a second may begin in between.
    assertThat(asked).hasValueLessThan(figures.size() / 2);
  }

  private static final RequestDeduplicationMetrics NONE =
      new RequestDeduplicationMetrics(0, 0, 0, 0, 0, 0, 0, 0);

  private static List<String> names(List<RuntimeMetric> metrics) {
    return metrics.stream().map(RuntimeMetric::name).toList();
  }

  private static List<String> components(Class<? extends Record> type) {
    return Arrays.stream(type.getRecordComponents()).map(each -> each.getName()).toList();
  }

  @Test
  void aBeanRefusesWhatItIsNotForAndASecondOfItsName() throws Exception {
    MetricSet metrics =
        new MetricSet(
            "part",
            "a,b=\"c\"",
            List.of(new RuntimeMetric("now", RuntimeMetric.Kind.GAUGE, "it", () -> 3)));
    JmxMetrics bean = JmxMetrics.register(metrics);
    try (bean) {
      assertThat(BEANS.getMBeanInfo(bean.name()).getAttributes())
          .singleElement()
          .satisfies(attribute -> assertThat(attribute.getDescription()).isEqualTo("it"));
      assertThat(BEANS.getAttributes(bean.name(), new String[] {"now", "then"}))
          .containsExactly(new Attribute("now", 3L));
      assertThatThrownBy(() -> BEANS.getAttribute(bean.name(), "then"))
          .isInstanceOf(AttributeNotFoundException.class)
          .hasMessageContaining("now");
      assertThatThrownBy(() -> BEANS.setAttribute(bean.name(), new Attribute("now", 4L)))
          .isInstanceOf(AttributeNotFoundException.class);
      assertThat(BEANS.setAttributes(bean.name(), new AttributeList())).isEmpty();
      assertThatThrownBy(() -> JmxMetrics.register(metrics))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("close what registered them before");
    }
    assertThat(BEANS.isRegistered(bean.name())).isFalse();
    bean.close();
    assertThat(BEANS.isRegistered(bean.name())).isFalse();
    assertThatThrownBy(() ->
            new MetricSet(
                "part", "a", List.of(metrics.metrics().getFirst(), metrics.metrics().getFirst())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theExamplesOfTheGuideRun() {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Group group = open("app1");
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults())) {
      new MicrometerMetrics(MetricSet.of(group)).bindTo(registry);
      new MicrometerMetrics(MetricSet.of("app1", collections)).bindTo(registry);
      try (JmxMetrics bean = JmxMetrics.register(MetricSet.of("app1", collections))) {
        System.out.println(bean.name()); // org.terrace:type=collections,name="app1"
        assertThat(bean.name()).hasToString("org.terrace:type=collections,name=\"app1\"");
      }
      assertThat(value(registry, "terrace.collections.entries")).isZero();
    }
  }

  @Test
  void theGuideShowsTheseLinesAndNamesEveryMetric() throws IOException {
    String guide = Files.readString(GUIDE);
    String source =
        Files.readString(Path.of("src/test/java/org/terrace/metrics/RuntimeMetricsTest.java"));
    List<String> blocks =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(guide)
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).isNotEmpty();
    for (String block : blocks) {
      for (String line : block.lines().filter(each -> !each.isBlank()).toList()) {
        assertThat(source).contains(line.strip());
      }
    }
    try (Group group = open("app1");
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
        ServiceServer server = ServiceServer.open(ServerOptions.of("app1").withUnsharedReplies())) {
      assertThat(
              List.of(
                  MetricSet.of(group),
                  MetricSet.of("app1", collections),
                  MetricSet.of("app1", server),
                  new MetricSet("requests", "app1", RequestFigures.of(() -> NONE))))
          .allSatisfy(set ->
              assertThat(set.metrics())
                  .allSatisfy(metric ->
                      assertThat(guide)
                          .contains(
                              "| `%s` | %s |".formatted(metric.name(), metric.description()))));
    }
  }
}
