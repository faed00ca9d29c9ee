package org.terrace.collections.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.codec.Codecs;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Member;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/**
 * Members as the pods of a plain Deployment: names that nobody uses again, and a headless service
 * that gives the addresses of those that run, here by a file of hosts.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class HeadlessServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A pod's process, told on standard input to say what it sees. */
  static final class Pod {
    private Pod() {}

    /** Runs until standard input ends, or a signal ends it. */
    public static void main(String[] arguments) throws IOException {
      Secret secret = new Secret(System.getenv("GROUP_SECRET").getBytes(StandardCharsets.UTF_8));
      GroupOptions options =
          GroupOptions.of("shop", System.getenv("POD_NAME"), Discovery.dns("shop-group", 7600))
              .withAddress(InetAddress.ofLiteral(System.getenv("POD_IP")), 7600)
              .withKeys(GroupKeys.encrypting(secret));
      Group group = Groups.open(options);
      ReplicatedCollections collections =
          ReplicatedCollections.open(group, CollectionsOptions.defaults());
      ReplicatedMap<String, String> map =
          collections.map("prices", MapOptions.of(Codecs.string(), Codecs.string()));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> {
                collections.leave(Duration.ofSeconds(10));
                collections.close();
                group.close();
              }));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("put")) {
          map.put("tea", "1");
        }
        System.out.println(
            "%s away %d tea %s"
                .formatted(seen(group), collections.metrics().replicasAway(), map.get("tea")));
      }
    }

    private static Map<String, String> seen(Group group) {
      Map<String, String> seen = new TreeMap<>();
      for (Member member : group.view().members()) {
        seen.merge(
            member.name(), member.address().getAddress().getHostAddress(), (a, b) -> a + "+" + b);
      }
      return seen;
    }
  }

  @TempDir private Path folder;
  private final Map<String, String> addresses = new TreeMap<>();
  private final Map<String, ChildProcess> pods = new TreeMap<>();

  @AfterEach
  void end() {
    pods.values().forEach(ChildProcess::close);
  }

  /** Gives the pods' addresses to the service's name, as the platform does. */
  private Path publish() throws IOException {
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
    addresses.values().forEach(address -> hosts.append(address).append(" shop-group\n"));
    return Files.writeString(folder.resolve("hosts"), hosts);
  }

  private void start(String name, String address) throws IOException {
    addresses.put(name, address);
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaCommand.small(List.of("-Djdk.net.hosts.file=" + publish()), Pod.class))
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("errors").toFile()));
    builder.environment().put("POD_NAME", name);
    builder.environment().put("POD_IP", address);
    builder.environment().put("GROUP_SECRET", "a secret of the group");
    pods.put(name, ChildProcess.start(builder));
  }

  private void gone(String name) throws IOException {
    addresses.remove(name);
    pods.remove(name).close();
    publish();
  }

  private String ask(ChildProcess pod, String question) {
    try {
      new PrintStream(pod.process().getOutputStream(), true, StandardCharsets.UTF_8)
          .println(question);
      return pod.awaitLine(line -> line.startsWith("{"));
    } catch (IOException e) {
      return "no answer: " + e.getMessage();
    }
  }

  private void awaitAllSee(String tea) {
    String expected = addresses + " away 0 tea " + tea;
    Map<String, String> said = new TreeMap<>();
    boolean seen =
        Await.until(
            PATIENCE,
            () -> {
              pods.forEach((name, pod) -> said.put(name, ask(pod, "see")));
              return said.values().stream().allMatch(expected::equals);
            });
    assertThat(seen).as("all see %s, they said %s", expected, said).isTrue();
    said.clear();
  }

  @Test
  void podsOfADeploymentFindEachOtherAndAreToldApartWhereverTheyComeBack() throws Exception {
    start("shop-7d9c5b-aaaaa", "127.73.6.1");
    start("shop-7d9c5b-bbbbb", "127.73.6.2");
    awaitAllSee("null");
    ask(pods.get("shop-7d9c5b-aaaaa"), "put");
    awaitAllSee("1");

    start("shop-5f6d7c-ccccc", "127.73.6.3");
    awaitAllSee("1");
    ChildProcess stopped = pods.get("shop-7d9c5b-aaaaa");
    stopped.signal("TERM");
    assertThat(Await.until(PATIENCE, () -> !stopped.isAlive())).as("it has left").isTrue();
    gone("shop-7d9c5b-aaaaa");
    awaitAllSee("1");

    start("shop-5f6d7c-ddddd", "127.73.6.1");
    awaitAllSee("1");

    gone("shop-7d9c5b-bbbbb");
    start("shop-7d9c5b-bbbbb", "127.73.6.4");
    awaitAllSee("1");
  }
}
