package org.terrace.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.observation.Server;

class TiersFileTest {
  @TempDir Path directory;

  @Test
  void namesServersByTheirAddresses() throws IOException {
    Path file = write("app1: {tier: app, addresses: ['10.0.0.5:8080', 10.0.0.6]}");

    assertThat(TiersFile.read(file))
        .containsExactly(new Server("app1", "app", List.of("10.0.0.5:8080", "10.0.0.6")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "just text | no table of servers",
        "app1: 7 | 'app1' has no fields",
        "app1: {tier: app} | 'app1' has no list of addresses",
        "app1: {addresses: [a]} | 'app1' has no tier",
        "app1: {tier: app, adresses: [a]} | unknown field 'adresses'",
        "app1: {tier: [ | it is not YAML"
      })
  void saysWhatIsWrongAndWhatWasExpected(String text, String words) throws IOException {
    Path file = write(text);

    assertThatThrownBy(() -> TiersFile.read(file))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(words)
        .hasMessageContaining("expected for example");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("tiers.yaml"), text);
  }
}
