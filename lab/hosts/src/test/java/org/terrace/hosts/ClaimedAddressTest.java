package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Endpoints.Endpoint;

/** Two trials that give one address to servers of theirs, at ports that differ. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class ClaimedAddressTest {
  private static final Endpoint WEB = new Endpoint("web1", "127.36.1.1", 8080);
  private static final Endpoint APP = new Endpoint("app1", "127.36.1.1", 8081);

  @TempDir private Path folder;

  @Test
  void anAddressIsOfOneTrialUntilItsHostEnds() {
    try (LocalServerHost other = new LocalServerHost("other", folder, TimeSource.system())) {
      try (LocalServerHost one = new LocalServerHost("one", folder, TimeSource.system())) {
        one.requireFree(List.of(WEB, new Endpoint("web2", WEB.address(), 8082)));
        one.requireFree(List.of(WEB));

        assertThatThrownBy(() -> other.requireFree(List.of(APP)))
            .isInstanceOf(TerraceException.class)
            .hasMessageContaining("the address 127.36.1.1 has another run of Terrace")
            .hasMessageContaining("'network: 127.7'");
      }
      assertThatCode(() -> other.requireFree(List.of(APP))).doesNotThrowAnyException();
    }
  }

  /** The users of two trials have one address too, though no server of theirs has. */
  @Test
  void theUsersAddressIsOfOneTrial() throws Exception {
    try (TrialHosts one = open("web1", "127.36.1.1");
        TrialHosts other = open("app1", "127.36.2.1")) {
      one.requireFree();

      assertThatThrownBy(other::requireFree)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the address 127.36.9.1 has another run of Terrace");
    }
  }

  private TrialHosts open(String server, String address) throws Exception {
    ProgramPaths programs = new ProgramPaths(JavaCommand.program(), "unused", "unused", "unused");
    return TrialHosts.open(
        new TrialHosts.Setting(
            new Target.Local(),
            "127.36",
            List.of(new PlannedServer(server, server.substring(0, 3), address, 8080)),
            "127.36.9.1",
            programs,
            Files.createTempDirectory(folder, "logs")),
        TimeSource.system(),
        _ -> {});
  }

  /** An agent that is killed gives nothing back itself; the kernel does. */
  @Test
  void anAgentThatIsKilledLeavesItsAddresses() throws Exception {
    AgentLine line =
        AgentLine.start(
            "far", JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, folder.toString()));
    HostFacts facts = line.awaitFacts();
    try (AgentHost far = new AgentHost("far", line, facts, facts, true, TimeSource.system());
        LocalServerHost here = new LocalServerHost("here", folder, TimeSource.system())) {
      far.requireFree(List.of(WEB));
      assertThatThrownBy(() -> here.requireFree(List.of(APP))).isInstanceOf(TerraceException.class);

      line.process().descendants().forEach(ProcessHandle::destroyForcibly);
      line.process().destroyForcibly().onExit().join();

      assertThatCode(() -> here.requireFree(List.of(APP))).doesNotThrowAnyException();
    }
  }
}
