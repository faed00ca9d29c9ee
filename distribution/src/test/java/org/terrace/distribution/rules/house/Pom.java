package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A Maven project file, as far as the rules of the house read it. */
public record Pom(
    String artifact,
    List<String> modules,
    Map<String, String> properties,
    List<Dependency> managed,
    List<Dependency> dependencies) {

  /** A dependency as a project file writes it; what it leaves out is empty. */
  public record Dependency(
      String group, String artifact, String version, String type, String scope, boolean optional) {

    public boolean isTestJar() {
      return type.equals("test-jar");
    }

    public boolean isForTestsOnly() {
      return scope.equals("test");
    }

    /** The artifact without the name of the house, {@code :tests} behind it for a test jar. */
    public String shortName() {
      return Module.shortName(artifact) + (isTestJar() ? ":tests" : "");
    }
  }

  public static Pom read(Path file) throws IOException {
    Element project = parse(file);
    Map<String, String> properties = new HashMap<>();
    for (Element property : children(child(project, "properties"))) {
      properties.put(property.getTagName(), property.getTextContent().strip());
    }
    Element parent = child(project, "parent");
    properties.put("project.groupId", first(text(project, "groupId"), text(parent, "groupId")));
    properties.put("project.version", first(text(project, "version"), text(parent, "version")));
    return new Pom(
        text(project, "artifactId"),
        children(child(project, "modules")).stream().map(e -> e.getTextContent().strip()).toList(),
        Map.copyOf(properties),
        dependenciesIn(child(project, "dependencyManagement")),
        dependenciesIn(project));
  }

  /** The text with every property of this project in the place of its name. */
  public String resolve(String text) {
    String resolved = text;
    for (int depth = 0; depth < 5 && resolved.contains("${"); depth++) {
      for (Map.Entry<String, String> property : properties.entrySet()) {
        resolved = resolved.replace("${" + property.getKey() + "}", property.getValue());
      }
    }
    return resolved;
  }

  private static List<Dependency> dependenciesIn(Element owner) {
    List<Dependency> found = new ArrayList<>();
    for (Element dependency : children(child(owner, "dependencies"))) {
      found.add(
          new Dependency(
              text(dependency, "groupId"),
              text(dependency, "artifactId"),
              text(dependency, "version"),
              text(dependency, "type"),
              text(dependency, "scope"),
              text(dependency, "optional").equals("true")));
    }
    return List.copyOf(found);
  }

  private static Element parse(Path file) throws IOException {
    try {
      var factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " is no project file: " + e.getMessage(), e);
    }
  }

  private static List<Element> children(Element parent) {
    List<Element> found = new ArrayList<>();
    if (parent != null) {
      for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
        if (node instanceof Element element) {
          found.add(element);
        }
      }
    }
    return found;
  }

  private static Element child(Element parent, String name) {
    return children(parent).stream()
        .filter(element -> element.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static String text(Element parent, String name) {
    Element found = child(parent, name);
    return found == null ? "" : found.getTextContent().strip();
  }

  private static String first(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }
}
