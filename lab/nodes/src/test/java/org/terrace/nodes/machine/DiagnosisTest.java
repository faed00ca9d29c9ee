package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  @Test
  void everyCheckSaysWhatItIsGoodForAndWhatIsMissingHowToGetIt() {
    Diagnosis diagnosis = Diagnosis.ofThisMachine();

    assertThat(diagnosis.checks())
        .extracting(MachineCheck::name)
        .contains(
            "Java 25 or newer",
            "processor",
            "memory",
            "open files",
            "CPU limits",
            "packet capture",
            "user namespaces",
            "unprivileged user",
            "PostgreSQL binaries",
            "tcpdump",
            "dumpcap",
            "tshark",
            "nft",
            "redis-server",
            "apache2",
            "chromium")
        .doesNotContain("a check that failed");
    for (MachineCheck check : diagnosis.checks()) {
      assertThat(check.goodFor()).isNotBlank();
      assertThat(check.detail()).isNotBlank();
      if (check.isPresent()) {
        assertThat(check.remedy()).isEmpty();
      }
    }
  }

  @Test
  void factsOfThisMachineAreFilledIn() {
    MachineFacts facts = MachineFacts.ofThisMachine();

    assertThat(facts.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(facts.memoryBytes()).isGreaterThan(100_000_000L);
    assertThat(facts.cpu()).isNotBlank();
    assertThat(facts.kernel()).startsWith("Linux ");
    assertThat(facts.java()).startsWith(System.getProperty("java.version"));
    facts.commit().ifPresent(commit -> assertThat(commit).matches("[0-9a-f]{12}\\+?"));
  }

  @Test
  void aCheckOfAnotherPartIsAskedAndOneThatFailsIsTold() {
    MachineCheck missing =
        MachineCheck.required("a licence", "none", "nothing", Optional.of("buy one"));
    Diagnosis diagnosis =
        Diagnosis.ofThisMachine(
            List.of(
                () -> missing,
                () -> {
                  throw new IllegalStateException("no answer");
                }));

    assertThat(diagnosis.checks()).contains(missing);
    assertThat(diagnosis.canRun()).isFalse();
    assertThat(diagnosis.checks().getLast().detail()).contains("no answer");
  }
}
