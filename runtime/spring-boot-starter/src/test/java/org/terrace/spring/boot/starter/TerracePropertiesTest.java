package org.terrace.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.session.SaveMode;
import org.terrace.collections.replication.WriteLevel;

/**
 * The properties as Spring Boot reads them, their description for editors, and the guide's table.
 */
class TerracePropertiesTest {
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";
  private static final Path GUIDE =
      Path.of(System.getProperty("terrace.root", "../.."), "docs/guide/spring.md");

  private static TerraceProperties bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate(
            "terrace",
            Bindable.of(TerraceProperties.class),
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> true));
  }

  @Test
  void withoutPropertiesThereAreDefaults() {
    TerraceProperties defaults = bind(Map.of());
    assertThat(defaults.group()).isEqualTo("terrace");
    assertThat(defaults.memberOrHost()).isNotBlank();
    assertThat(defaults.address()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    assertThat(defaults.port()).isEqualTo(7600);
    assertThat(defaults.contactAddresses()).isEmpty();
    assertThat(defaults.secretBytes()).isEmpty();
    assertThat(defaults.expectedMembers()).isNull();
    assertThat(WriteLevelText.parse("", defaults.writeLevel())).isEqualTo(WriteLevel.ALL);
    assertThat(defaults.sessions().saveMode()).isEqualTo(SaveMode.ON_SET_ATTRIBUTE);
    assertThat(defaults.cache().timeToLive()).isZero();
    assertThat(defaults.caches()).isEmpty();
  }

  @Test
  void propertiesAreRead() {
    TerraceProperties read =
        bind(
            Map.of(
                "terrace.member", "app1",
                "terrace.contacts", "app2:7601,app3,[::1]:7602,127.0.0.1",
                "terrace.secret", "a secret that is long",
                "terrace.expected-members", "3",
                "terrace.write-level", "all-of-2",
                "terrace.sessions.admitted[0]", "com.example.**",
                "terrace.caches.prices.time-to-live", "5m",
                "terrace.cache.keeps-null", "false"));
    assertThat(read.memberOrHost()).isEqualTo("app1");
    assertThat(read.contactAddresses())
        .containsExactly(
            InetSocketAddress.createUnresolved("app2", 7601),
            InetSocketAddress.createUnresolved("app3", 7600),
            new InetSocketAddress(InetAddress.ofLiteral("::1"), 7602),
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7600));
    assertThat(read.secretBytes())
        .contains("a secret that is long".getBytes(StandardCharsets.UTF_8));
    assertThat(read.expectedMembers()).isEqualTo(3);
    assertThat(read.toString()).doesNotContain("secret");
    assertThat(read.sessions().admitted()).containsExactly("com.example.**");
    assertThat(read.caches().get("prices").timeToLive()).isEqualTo(Duration.ofMinutes(5));
    assertThat(read.caches().get("prices").keepsNull()).isNull();
    assertThat(read.cache().keepsNull()).isFalse();
  }

  @Test
  void levelsAreWrittenInWords() {
    assertThat(WriteLevelText.parse("", "local")).isEqualTo(WriteLevel.LOCAL);
    assertThat(WriteLevelText.parse("", "2")).isEqualTo(WriteLevel.replicas(2));
    assertThat(WriteLevelText.parse("", "all-of-3")).isEqualTo(WriteLevel.allOf(3));
  }

  @Test
  void aBadPropertyIsNamedWithWhatWasExpected() {
    assertRefused("terrace.write-level", "most", "terrace.write-level is 'most'", "all-of-2");
    assertRefused("terrace.cache.eviction-level", "0", "terrace.cache.eviction-level is '0'");
    assertRefused("terrace.contacts", "app2/7600", "terrace.contacts has 'app2/7600'", "app2:7600");
    assertRefused("terrace.contacts", "a b:1", "terrace.contacts has 'a b:1'");
    assertRefused("terrace.expected-members", "0", "terrace.expected-members is 1 or more");
    assertRefused("terrace.secret", "short", "terrace.secret has at least 16 bytes");
    assertRefused("terrace.address", "0.0.0.0", "terrace.address is one that the other servers");
    assertRefused("terrace.port", "many", "terrace.port");
    assertRefused("terrace.contact", "app2", "terrace.contact");
    assertRefused("terrace.caches.prices.ttl", "5m", "terrace.caches.prices.ttl");
  }

  private static void assertRefused(String name, String value, String... parts) {
    assertThatThrownBy(() -> bind(Map.of(name, value)))
        .as(name)
        .isInstanceOf(BindException.class)
        .satisfies(e -> {
          StringBuilder all = new StringBuilder();
          for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            all.append(cause.getMessage()).append('\n');
          }
          assertThat(all.toString()).contains(parts);
        });
  }

  @Test
  void theExampleOfTheGuideIsRead() throws IOException {
    String block = Files.readString(GUIDE).replaceFirst("(?s).*?```properties\\n(.*?)```.*", "$1");
    Map<String, String> properties = new TreeMap<>();
    for (String line : block.lines().toList()) {
      String[] parts = line.split("=", 2);
      properties.put(parts[0], parts[1].replace("${TERRACE_SECRET}", "a secret that is long"));
    }
    TerraceProperties read = bind(properties);
    assertThat(read.memberOrHost()).isEqualTo("app1");
    assertThat(read.contactAddresses()).hasSize(2);
    assertThat(read.secretBytes()).isPresent();
  }

  @Test
  void editorsAndTheGuideKnowEachPropertyAndItsDefault() throws IOException {
    String metadata;
    try (InputStream in = TerracePropertiesTest.class.getResourceAsStream(METADATA)) {
      metadata = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String guide = Files.readString(GUIDE);
    Set<String> expected = new TreeSet<>();
    for (RecordComponent component : TerraceProperties.class.getRecordComponents()) {
      String name = "terrace." + dashed(component.getName());
      if (component.getType() == TerraceProperties.Sessions.class
          || component.getType() == TerraceProperties.Cache.class) {
        for (RecordComponent inner : component.getType().getRecordComponents()) {
          expected.add(name + "." + dashed(inner.getName()) + defaultOf(inner));
        }
      } else {
        expected.add(name + defaultOf(component));
      }
    }
    Set<String> told = new TreeSet<>();
    Pattern property =
        Pattern.compile(
            "\"name\": \"(terrace\\.[a-z.-]+)\",[^{}]*?(?:\"defaultValue\": \"?([^\",\n]+)\"?)?\\s*}");
    for (MatchResult match : property.matcher(metadata).results().toList()) {
      told.add(match.group(1) + (match.group(2) == null ? "" : " = " + match.group(2)));
    }
    assertThat(told).isEqualTo(expected);
    Set<String> inGuide = new TreeSet<>();
    Pattern row = Pattern.compile("(?m)^\\| `(terrace\\.[a-z.-]+)` \\| (?:`([^`]+)`)? *\\|");
    for (MatchResult match : row.matcher(guide).results().toList()) {
      inGuide.add(match.group(1) + (match.group(2) == null ? "" : " = " + match.group(2)));
    }
    assertThat(inGuide).isEqualTo(expected);
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String defaultOf(RecordComponent component) {
    for (Parameter parameter :
        component.getDeclaringRecord().getDeclaredConstructors()[0].getParameters()) {
      DefaultValue value = parameter.getAnnotation(DefaultValue.class);
      if (parameter.getName().equals(component.getName())
          && value != null
          && value.value().length > 0) {
        return " = " + value.value()[0];
      }
    }
    return "";
  }
}
