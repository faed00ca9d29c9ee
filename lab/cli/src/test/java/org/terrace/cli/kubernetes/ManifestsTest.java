package org.terrace.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cli.kubernetes.ManifestObjects.component;
import static org.terrace.cli.kubernetes.ManifestObjects.onlyOneOf;
import static org.terrace.cli.kubernetes.ManifestObjects.onlyOneOfComponent;
import static org.terrace.cli.kubernetes.ManifestObjects.podNames;
import static org.terrace.cli.kubernetes.ManifestObjects.port;
import static org.terrace.cli.kubernetes.ManifestObjects.server;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.specification.SpecificationReader;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** The manifests of the examples are whole and fit together. */
class ManifestsTest {
  private static final Path EXPERIMENTS =
      Path.of(System.getProperty("terrace.root", "../..")).resolve("experiments");
  private static final String JDK = "example.com/jdk:25";
  private static final KubernetesOptions OPTIONS =
      new KubernetesOptions(
          Optional.of("lab"), Map.of("web", JDK, "app", JDK), "example.com/terrace:1", "1Gi");
  private static final KubernetesOptions PLAIN =
      new KubernetesOptions(Optional.empty(), Map.of(), "example.com/terrace:1", "1Gi");
  private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
  private static final Set<Integer> GROUP_PORTS = Set.of(7_900);

  /** The examples, of which each must have its manifests. */
  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXPERIMENTS)) {
      List<Path> found =
          files
              .filter(file -> file.toString().endsWith(".yaml"))
              .filter(file ->
                  SpecificationReader.kind(file.toString(), SpecificationReader.text(file))
                      .equals(Optional.of("Experiment")))
              .filter(file -> !SpecificationReader.read(file).isNdbLike()) // which is refused
              .sorted()
              .toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(4);
      return found;
    }
  }

  private static String text(Path example) {
    Experiment experiment = SpecificationReader.read(example);
    KubernetesOptions options =
        experiment.programs().isEmpty()
            ? new KubernetesOptions(OPTIONS.namespace(), Map.of(), OPTIONS.image(), "1Gi")
            : OPTIONS;
    return Manifests.text(Manifests.files(example.toString(), experiment, options));
  }

  private static String text(String specification) {
    return Manifests.text(
        Manifests.files("test.yaml", SpecificationReader.read("test.yaml", specification), PLAIN));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyFieldIsOneOfTheApiAndTheTextIsTheSameEachTime(Path example) {
    assertThat(KubernetesModel.read(text(example))).hasSizeGreaterThan(6);
    assertThat(text(example)).isEqualTo(text(example)).doesNotContain("&id", "*id");
  }

  @Test
  void aFieldThatTheApiDoesNotHaveIsFound() {
    String text = text(EXPERIMENTS.resolve("quickstart.yaml"));

    assertThatThrownBy(() -> KubernetesModel.read(text.replaceFirst("replicas:", "replica:")))
        .isInstanceOf(UnrecognizedPropertyException.class)
        .hasMessageContaining("replica");
  }

  @ParameterizedTest
  @MethodSource("examples")
  void namesAreThoseOfDnsAndOneObjectsEach(Path example) {
    Set<String> names = new HashSet<>();
    for (HasMetadata object : KubernetesModel.read(text(example))) {
      assertThat(object.getMetadata().getName()).matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
      assertThat(object.getMetadata().getNamespace()).isEqualTo("lab");
      assertThat(names.add(object.getKind() + " " + object.getMetadata().getName())).isTrue();
      assertThat(object.getMetadata().getLabels())
          .containsKeys("app.kubernetes.io/name", "app.kubernetes.io/component")
          .containsEntry("app.kubernetes.io/managed-by", "terrace");
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void servicesSelectPodsThatThereAreAndTheirPorts(Path example) {
    List<HasMetadata> objects = KubernetesModel.read(text(example));
    for (Service service : ManifestObjects.of(objects, Service.class)) {
      Map<String, String> selector = new HashMap<>(service.getSpec().getSelector());
      String pod = selector.remove(POD_NAME);
      HasMetadata workload = onlyOneOf(objects, selector);
      if (pod != null) {
        assertThat(podNames(workload)).contains(pod);
      }
      for (ServicePort port : service.getSpec().getPorts()) {
        int target = port.getTargetPort().getIntVal();
        assertThat(GROUP_PORTS.contains(target) || port(workload) == target)
            .as("%s port %d", service.getMetadata().getName(), target)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void workloadsSelectTheirOwnPodsAndProbesAskTheirPorts(Path example) {
    List<HasMetadata> objects = KubernetesModel.read(text(example));
    Set<String> services = new HashSet<>();
    ManifestObjects.of(objects, Service.class)
        .forEach(service -> services.add(service.getMetadata().getName()));
    for (HasMetadata object : objects) {
      if (object instanceof StatefulSet set) {
        assertThat(services).contains(set.getSpec().getServiceName());
        assertThat(set.getSpec().getTemplate().getMetadata().getLabels())
            .containsAllEntriesOf(set.getSpec().getSelector().getMatchLabels());
      }
      if (object instanceof Deployment deployment) {
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
            .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels());
      }
      if (object instanceof StatefulSet || object instanceof Deployment) {
        Container server = server(object);
        for (Probe probe : List.of(server.getStartupProbe(), server.getReadinessProbe())) {
          if (probe.getHttpGet() != null) {
            assertThat(probe.getHttpGet().getPort().getIntVal()).isEqualTo(port(object));
          } else if (probe.getTcpSocket() != null) {
            assertThat(probe.getTcpSocket().getPort().getIntVal()).isEqualTo(port(object));
          } else {
            assertThat(probe.getExec().getCommand()).isNotEmpty();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void placesInCommandsAreServicesWithThatPort(Path example) {
    String text = text(example);
    Map<String, Set<Integer>> ports = new HashMap<>();
    for (Service service : ManifestObjects.of(KubernetesModel.read(text), Service.class)) {
      Set<Integer> own = new HashSet<>();
      service.getSpec().getPorts().forEach(port -> own.add(port.getPort()));
      ports.put(service.getMetadata().getName(), own);
    }
    String base = SpecificationReader.read(example).name();
    Matcher place = Pattern.compile("(" + base + "-[a-z]+(?:-\\d+)?):(\\d+)").matcher(text);
    int found = 0;
    while (place.find()) {
      found++;
      assertThat(ports).containsKey(place.group(1));
      assertThat(ports.get(place.group(1))).contains(Integer.parseInt(place.group(2)));
    }
    assertThat(found).isPositive();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aTierIsAskedByTheTierBeforeItAlone(Path example) {
    List<HasMetadata> objects = KubernetesModel.read(text(example));
    List<String> order = List.of("web", "app", "middleware", "database");
    List<String> there =
        order.stream()
            .filter(tier ->
                ManifestObjects.of(objects, NetworkPolicy.class).stream()
                    .anyMatch(policy -> component(policy.getMetadata().getLabels()).equals(tier)))
            .toList();
    for (NetworkPolicy policy : ManifestObjects.of(objects, NetworkPolicy.class)) {
      String tier = component(policy.getMetadata().getLabels());
      onlyOneOfComponent(objects, policy.getSpec().getPodSelector().getMatchLabels());
      assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
      if (tier.equals(Names.LOADER)) {
        assertThat(policy.getSpec().getIngress()).isEmpty();
        continue;
      }
      List<NetworkPolicyPeer> callers = policy.getSpec().getIngress().getFirst().getFrom();
      List<String> names =
          callers.stream()
              .map(peer -> component(peer.getPodSelector().getMatchLabels()))
              .filter(name -> !name.equals(Names.LOADER))
              .toList();
      int at = there.indexOf(tier);
      assertThat(names).isEqualTo(at == 0 ? List.of() : List.of(there.get(at - 1)));
      assertThat(policy.getSpec().getIngress().getFirst().getPorts())
          .singleElement()
          .satisfies(port ->
              assertThat(port.getPort().getIntVal())
                  .isEqualTo(
                      port(
                          onlyOneOfComponent(
                              objects, policy.getSpec().getPodSelector().getMatchLabels()))));
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void noPodHasMoreRightsThanItNeeds(Path example) {
    for (HasMetadata object : KubernetesModel.read(text(example))) {
      KubernetesModel.template(object)
          .ifPresent(template -> {
            PodSpec pod = template.getSpec();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            List<Container> all = new ArrayList<>(pod.getContainers());
            all.addAll(pod.getInitContainers());
            assertThat(all)
                .allSatisfy(container -> {
                  assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
                  assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                      .isFalse();
                  assertThat(container.getSecurityContext().getCapabilities().getDrop())
                      .containsExactly("ALL");
                });
          });
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void secretsAreReferredToAndTheHeadSaysHowToMakeThem(Path example) {
    String text = text(example);
    Set<String> needed = new HashSet<>();
    for (HasMetadata object : KubernetesModel.read(text)) {
      KubernetesModel.template(object)
          .ifPresent(template -> {
            template
                .getSpec()
                .getVolumes()
                .forEach(volume ->
                    Optional.ofNullable(volume.getSecret())
                        .ifPresent(secret -> needed.add(secret.getSecretName())));
            server(object)
                .getEnv()
                .forEach(variable -> {
                  if (variable.getName().endsWith("PASSWORD")) {
                    assertThat(variable.getValue()).isNull();
                    needed.add(variable.getValueFrom().getSecretKeyRef().getName());
                  }
                });
          });
    }
    assertThat(needed)
        .allSatisfy(name -> assertThat(text).contains("create secret generic " + name));
    assertThat(text.lines().filter(line -> line.contains("create secret"))).hasSize(needed.size());
  }

  @Test
  void whatIsNotAsInTheLabIsNamedInTheHead() {
    String text =
        text(
            """
            kind: Experiment
            name: named
            topology: 1/2/0/1
            load: {closed: {users: 10, think: exp(1s)}, bursts: {every: 5s, for: 1s, factor: 2}}
            phases: {run: 20s}
            faults: [{kill: app1, at: 3s}]
            observe: {packets: true, sample: 1s, sessions: 3}
            limits:
              app: {cpu: 0.25, calibrated: true, governor: 500ms, memory: 300m, disk: 1m, threads: 7}
            """);

    assertThat(text.lines().takeWhile(line -> line.startsWith("#")).toList())
        .anySatisfy(line -> assertThat(line).contains("faults: {kill: app1, at: 3s}"))
        .anySatisfy(line -> assertThat(line).contains("observe.packets"))
        .anySatisfy(line -> assertThat(line).contains("observe.sessions"))
        .anySatisfy(line -> assertThat(line).contains("limits.app.disk: 1048576 bytes"))
        .anySatisfy(line -> assertThat(line).contains("limits.app.calibrated"))
        .anySatisfy(line -> assertThat(line).contains("limits.app.governor"))
        .anySatisfy(line -> assertThat(line).contains("bursts"));
    Container app =
        server(onlyOneOf(KubernetesModel.read(text), Map.of("app.kubernetes.io/component", "app")));
    assertThat(app.getResources().getLimits().get("cpu")).hasToString("250m");
    assertThat(app.getResources().getLimits().get("memory")).hasToString("300Mi");
    assertThat(app.getResources().getRequests()).isEqualTo(app.getResources().getLimits());
    assertThat(app.getStartupProbe().getFailureThreshold()).isEqualTo(240);
    assertThat(app.getCommand()).containsSequence("--threads", "7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          1/1/0/1 | web: apache                       | web: apache
          1/1/1/2 | database: mariadb                 | mariadb is not filled in one transaction
          1/1/0/1 | database: mariadb                 | mariadb is not filled in one transaction
          1/2/2/2 | database: ndb-like                | ndb-like has no image
          1/2/0/1 | limits: {app2: {cpu: 0.5}}        | app2 has limits of its own
          1/2/0/1 | heap: {web1: 64m}                 | web1 has limits of its own
          """)
  void whatManifestsWouldGetWrongIsRefused(String topology, String field, String expected) {
    String specification =
        """
        kind: Experiment
        name: refused
        topology: %s
        load: {closed: {users: 10, think: exp(1s)}}
        phases: {run: 20s}
        %s
        """
            .formatted(topology, field);

    assertThatThrownBy(() -> text(specification))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("test.yaml")
        .hasMessageContaining(expected);
  }

  @Test
  void aProgramOfOnesOwnNeedsAnImageAndFindsItsFiles() {
    Path example = EXPERIMENTS.resolve("own-service.yaml");
    Experiment experiment = SpecificationReader.read(example);
    assertThatThrownBy(() -> Manifests.files("own.yaml", experiment, PLAIN))
        .hasMessageContaining("--image web=IMAGE")
        .hasMessageContaining("--image app=IMAGE");

    List<HasMetadata> objects = KubernetesModel.read(text(example));
    Container web = server(onlyOneOf(objects, Map.of("app.kubernetes.io/component", "web")));
    assertThat(web.getImage()).isEqualTo(JDK);
    assertThat(web.getCommand()).first().isEqualTo("$(TERRACE_JAVA)");
    assertThat(web.getWorkingDir()).isEqualTo("/terrace/program");
    assertThat(web.getEnv())
        .anySatisfy(variable -> {
          assertThat(variable.getName()).isEqualTo("TERRACE_NEXT");
          assertThat(variable.getValue()).isEqualTo("own-service-app-1:8080");
        });
    assertThat(text(example)).contains("own-service/Shop.java", "HttpServer.create");
  }

  @Test
  void aProgramsFilesKeepApartAndAScriptCanBeExecuted(@TempDir Path folder) throws IOException {
    Files.createDirectory(folder.resolve("a"));
    Files.writeString(folder.resolve("a/b.conf"), "of the folder");
    Files.writeString(folder.resolve("a_b.conf"), "beside it");
    Files.createFile(
        folder.resolve("run.sh"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Path example =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            kind: Experiment
            name: own
            topology: 0/1/0/0
            tiers:
              app:
                command: [./run.sh]
                ready: {http: /, within: 60s}
                files: [run.sh, a/b.conf, a_b.conf]
            load: {closed: {users: 10, think: exp(1s)}, mix: [{path: /, weight: 1}]}
            phases: {run: 20s}
            """);

    assertThat(text(example))
        .contains("of the folder", "beside it", "path: a/b.conf", "path: a_b.conf")
        .containsPattern("path: run.sh\\s+mode: 365");
  }

  @Test
  void onlyVariablesOfTheLabAreExpanded() {
    assertThat(OwnProgram.expanded("a$TERRACE_PORT-${TERRACE_NAME} $HOME $(date) $TERRACE_X"))
        .isEqualTo("a$(TERRACE_PORT)-$(TERRACE_NAME) $$HOME $$(date) $$TERRACE_X");
  }

  @Test
  void textsThatLookLikeSomethingElseAreQuoted() {
    assertThat(ManifestText.of(Trees.map("a", "yes", "b", "1:30", "c", "0o7", "d", "no way")))
        .isEqualTo("a: \"yes\"\nb: \"1:30\"\nc: \"0o7\"\nd: no way\n");
  }
}
