package org.terrace.report;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.threshold.Threshold.Judgement;

/**
 * The checks and thresholds of a result as JUnit's XML, which pipelines show: a test case each. A
 * condition that holds is a failure; a measurement that cannot be trusted is an error. Stateless.
 */
public final class JUnitFile {
  private JUnitFile() {}

  /** Writes a file, which appears whole or not at all. */
  public static void write(
      Path file, String name, List<Validity> validity, List<Judgement> judgements) {
    WholeFile.write(file, text(name, validity, judgements));
  }

  static String text(String name, List<Validity> validity, List<Judgement> judgements) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", printable(name));
      xml.writeAttribute("tests", String.valueOf(validity.size() + judgements.size()));
      xml.writeAttribute(
          "failures", String.valueOf(judgements.stream().filter(Judgement::failed).count()));
      xml.writeAttribute(
          "errors", String.valueOf(validity.stream().filter(check -> !check.passed()).count()));
      for (Validity check : validity) {
        testCase(xml, "validity", check.check(), check.passed() ? "" : "error", check.detail());
      }
      for (Judgement each : judgements) {
        testCase(xml, "fail-if", each.condition(), each.failed() ? "failure" : "", each.detail());
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return text + "\n";
  }

  private static void testCase(
      XMLStreamWriter xml, String kind, String name, String problem, String detail)
      throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", "terrace." + kind);
    xml.writeAttribute("name", printable(name));
    if (!problem.isEmpty()) {
      xml.writeStartElement(problem);
      xml.writeAttribute("message", printable(detail));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  /** The characters that XML allows. */
  private static String printable(String text) {
    return text.replaceAll(
        "[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?");
  }
}
