package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.observation.Observation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The published schema of the findings says what is written, field by field. */
class FindingsSchemaTest {
  private static final Path FILE = Path.of("../../docs/reference/findings.schema.json");
  private static final JsonMapper JSON = new JsonMapper();

  private static JsonNode published;
  private static Schema schema;

  @BeforeAll
  static void read() throws IOException {
    String text = Files.readString(FILE);
    published = JSON.readTree(text);
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(text, InputFormat.JSON);
  }

  private static List<String> errors(String findings) {
    return schema.validate(findings, InputFormat.JSON).stream().map(Object::toString).toList();
  }

  @Test
  void findingsWithEverythingKeepToTheSchema() {
    assertThat(errors(FindingsFile.toJson(FindingsFileTest.findings()))).isEmpty();
    assertThat(errors(FindingsFile.toJson(Findings.ofStudy(SyntheticStudy.findings())))).isEmpty();
    Observation observation = SyntheticTrial.observation(7, 30, 40);
    Findings analysed = SyntheticTrial.analyse(observation, true).findings();
    assertThat(errors(FindingsFile.toJson(analysed))).isEmpty();
  }

  @Test
  void theExampleOfTheDesignAndFieldsOfTheFutureKeepToTheSchema() {
    assertThat(errors(FindingsFileTest.DESIGN)).isEmpty();
    assertThat(
            errors(FindingsFileTest.DESIGN.replace("\"gaps\"", "\"of the future\": {}, \"gaps\"")))
        .isEmpty();
  }

  @Test
  void whatIsNotOfTheFormatIsFound() {
    for (String[] breach :
        new String[][] {
          {"\"terrace-findings/1\"", "\"terrace-findings/2\""},
          {"\"requests\": 0,", "\"requests\": \"many\","},
          {"\"verdict\": \"reproduced\"", "\"verdict\": \"perhaps\""},
          {"\"passed\": true,", ""},
          {"\"tier\": \"app\",", ""},
        }) {
      assertThat(errors(FindingsFileTest.DESIGN.replace(breach[0], breach[1])))
          .as(breach[0])
          .isNotEmpty();
    }
  }

  @Test
  void everyFieldThatIsWrittenIsDescribedAndNoOther() {
    List<String> differences = new ArrayList<>();
    compare(Findings.class, published, published, new HashSet<>(), differences);
    assertThat(differences).isEmpty();
  }

  @Test
  void aFieldThatTheSchemaLacksIsFound() {
    JsonNode lacking = published.deepCopy();
    ((ObjectNode) lacking.at("/$defs/Stall/properties")).remove("waitedFor");
    ((ObjectNode) lacking.at("/properties/warnings")).put("description", "");
    List<String> differences = new ArrayList<>();
    compare(Findings.class, lacking, lacking, new HashSet<>(), differences);
    assertThat(differences)
        .containsExactlyInAnyOrder(
            "Stall: waitedFor is not in both", "Findings: warnings is not described");
  }

  private static void compare(
      Class<?> written,
      JsonNode described,
      JsonNode root,
      Set<Class<?>> seen,
      List<String> differences) {
    if (!seen.add(written)) {
      return;
    }
    JsonNode properties = described.get("properties");
    Set<String> names = new TreeSet<>();
    for (RecordComponent component : written.getRecordComponents()) {
      names.add(component.getName());
      JsonNode property = properties.get(component.getName());
      if (property == null) {
        continue;
      }
      if (property.at("/description").asString("").isBlank()) {
        differences.add(written.getSimpleName() + ": " + component.getName() + " is not described");
      }
      Class<?> element = element(component.getGenericType());
      if (element.isRecord()) {
        compare(element, definition(property, root), root, seen, differences);
      } else if (element.isEnum()) {
        compareWords(element, component, property, differences);
      }
    }
    Set<String> both = new TreeSet<>(names);
    both.addAll(properties.propertyNames());
    for (String name : both) {
      if (!names.contains(name) || !properties.has(name)) {
        differences.add(written.getSimpleName() + ": " + name + " is not in both");
      }
    }
  }

  private static void compareWords(
      Class<?> words, RecordComponent component, JsonNode property, List<String> differences) {
    Set<String> described = new TreeSet<>();
    property
        .get("enum")
        .forEach(word -> {
          if (!word.isNull()) {
            described.add(word.asString());
          }
        });
    Set<String> written = new TreeSet<>();
    Arrays.stream(words.getEnumConstants()).forEach(word -> written.add(word.toString()));
    if (!described.equals(written)) {
      differences.add(component.getName() + " is one of " + written + ", described " + described);
    }
  }

  /** The type of a component, or of what its lists hold. */
  private static Class<?> element(Type type) {
    return switch (type) {
      case ParameterizedType list -> element(list.getActualTypeArguments()[0]);
      case Class<?> plain -> plain;
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static JsonNode definition(JsonNode property, JsonNode root) {
    JsonNode node = property;
    while (node.has("items")) {
      node = node.get("items");
    }
    JsonNode reference = node.has("anyOf") ? node.get("anyOf").get(0) : node;
    return root.at(reference.get("$ref").asString().substring(1));
  }
}
