package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.FoundLoad.Verdict;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.search.SearchRound;
import org.terrace.specification.PlannedTrial;

class MeshFileTest {
  private static final Path SCHEMA =
      Path.of(System.getProperty("terrace.root"), "docs/reference/mesh.schema.json");

  @TempDir Path directory;

  private static Mesh mesh() {
    PlannedTrial third = SmallMesh.specification().trials().get(2);
    return new Mesh(
        "made-up",
        SmallMesh.machine(),
        List.of(
            SmallMesh.done(0).told(),
            SmallMesh.failed(1).told(),
            TrialMeasure.without(third, SmallMesh.key(3), Status.SKIPPED)));
  }

  private Path written() {
    Path file = directory.resolve(MeshFile.NAME);
    write(file, Optional.empty());
    return file;
  }

  private static void write(Path file, Optional<SearchAnswer> answer) {
    MeshFile.write(
        file,
        new MeshResults(mesh(), new SearchRound(2), answer),
        Map.of(SmallMesh.key(2), "app1 \"died\""));
  }

  /** An answer of each kind, with and without figures that may be missing. */
  private static SearchAnswer answer() {
    Configuration small = SmallMesh.specification().trials().getFirst().configuration();
    Configuration large = small.withServers("app", 2);
    return new SearchAnswer(
        SearchMethod.GUIDED,
        true,
        4,
        2,
        1,
        "EUR",
        List.of(
            new FoundBest(10, small, 1, -0.25, null, null, 1, List.of(), 0, List.of()),
            new FoundBest(20, large, 2, 1.5, 1.0, 2.0, 2, List.of(small), 0, List.of())),
        List.of(30, 40),
        List.of(
            new FoundCapacity(
                small, 2, null, 10, true, true, 1, List.of(FoundLoad.unmeasured(10, 1))),
            new FoundCapacity(
                large,
                3,
                20,
                null,
                false,
                false,
                2,
                List.of(new FoundLoad(20, Verdict.KEPT, 2, 0, 900, 0.97, 0.96, 0.98)))));
  }

  @Test
  void theAnswerOfASearchIsReadAsItWasWritten() throws IOException {
    Path file = directory.resolve(MeshFile.NAME);
    write(file, Optional.of(answer()));

    assertThat(MeshFile.readResults(file))
        .isEqualTo(new MeshResults(mesh(), new SearchRound(2), Optional.of(answer())));
    assertThat(schema().validate(Files.readString(file), InputFormat.JSON)).isEmpty();
    assertThat(Files.readString(file)).contains("\"saved\":2").contains("\"mostUsers\":20");
  }

  @Test
  void conditionsThatFailedAreReadAsTheyWereWritten() throws IOException {
    MeshResults results =
        new MeshResults(
            mesh(),
            new SearchRound(2),
            Optional.empty(),
            false,
            List.of("users \"p99\" > 1ms", "other"));
    Path file = directory.resolve(MeshFile.NAME);
    MeshFile.write(file, results, Map.of(SmallMesh.key(2), "app1 \"died\""));

    assertThat(MeshFile.readResults(file)).isEqualTo(results);
    assertThat(schema().validate(Files.readString(file), InputFormat.JSON)).isEmpty();
    assertThat(results.hasFailed()).isTrue();
  }

  @Test
  void aMeshIsReadAsItWasWritten() {
    assertThat(MeshFile.read(written())).isEqualTo(mesh());
  }

  @Test
  void theRowOfATrialIsReadAsItWasWritten() {
    MeshFile.writeRow(directory, SmallMesh.failed(1));
    assertThat(MeshFile.readRow(directory)).isEqualTo(SmallMesh.failed(1));
    MeshFile.writeRow(directory, SmallMesh.done(0));
    assertThat(MeshFile.readRow(directory)).isEqualTo(SmallMesh.done(0));
  }

  private static Schema schema() throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
  }

  @Test
  void whatIsWrittenIsAsTheSchemaHasIt() throws IOException {
    Schema schema = schema();
    String text = Files.readString(written());

    assertThat(schema.validate(text, InputFormat.JSON)).isEmpty();
    assertThat(text).contains("\"reason\":\"app1 \\\"died\\\"\"");
    assertThat(text)
        .contains("\"attempts\":2,\"earlierAttempts\":[\"generator-lateness: late\"]")
        .contains("\"attempts\":2,\"earlierAttempts\":[\"it was late\"]");
    assertThat(schema.validate(text.replace("\"attempts\":2", "\"attempts\":1"), InputFormat.JSON))
        .isNotEmpty();
    String wrong = text.replace("\"users\":10", "\"users\":\"ten\"");
    assertThat(schema.validate(wrong, InputFormat.JSON)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "terrace-mesh/1 | terrace-mesh/9 | its format is not terrace-mesh/1",
        "\"users\":10, | \"users\":0, | users",
        "\"users\":10, | \"users\":1.5, | expected a whole number",
        "\"status\":\"done\" | \"status\":\"begun\" | BEGUN",
        "\"counts\":[3,7,0] | \"counts\":[3,7] | boundaries",
        "\"counts\":[3,7,0] | \"counts\":[3,8,0] | histogram",
        "\"classes\": | \"klasses\": | it lacks 'classes'",
        "\"values\":[0.25,0,1] | \"values\":[0.25,null,1] | expected a number",
        "\"trials\":[ | \"trials\":[[ | it is not as terrace-mesh/1 has it"
      })
  void whatIsNoMeshIsRefusedWithItsFile(String right, String wrong, String message)
      throws IOException {
    Path file = written();
    String text = Files.readString(file);
    assertThat(text).contains(right);
    Files.writeString(file, text.replace(right, wrong));

    TerraceException failure =
        catchThrowableOfType(TerraceException.class, () -> MeshFile.read(file));

    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(ErrorCode.BAD_INPUT);
    assertThat(failure).hasMessageContaining(file.toString()).hasMessageContaining(message);
  }

  @Test
  void fieldsOfALaterVersionArePassedOver() throws IOException {
    Path file = written();
    Files.writeString(
        file, Files.readString(file).replace("\"users\":", "\"colour\":{},\"users\":"));

    assertThat(MeshFile.read(file)).isEqualTo(mesh());
  }
}
