package org.terrace.experiment.mesh;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial.Status;

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
            SmallMesh.done(0).trial(),
            SmallMesh.failed(1).trial(),
            TrialMeasure.without(third, SmallMesh.key(3), Status.SKIPPED)));
  }

  private Path written() {
    Path file = directory.resolve(MeshFile.NAME);
    MeshFile.write(file, mesh(), Map.of(SmallMesh.key(2), "app1 \"died\""));
    return file;
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

  @Test
  void whatIsWrittenIsAsTheSchemaHasIt() throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
    String text = Files.readString(written());

    assertThat(schema.validate(text, InputFormat.JSON)).isEmpty();
    assertThat(text).contains("\"reason\":\"app1 \\\"died\\\"\"");
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
