package org.terrace.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/** A JMX bean with an attribute for each metric of a set; nothing in it can be changed. */
final class MetricsBean implements DynamicMBean {
  private final Map<String, RuntimeMetric> metrics = new LinkedHashMap<>();
  private final MBeanInfo info;

  MetricsBean(MetricSet set) {
    set.metrics().forEach(metric -> metrics.put(metric.name(), metric));
    info =
        new MBeanInfo(
            MetricsBean.class.getName(),
            "Terrace: " + set.part() + " of " + set.member(),
            set.metrics().stream().map(MetricsBean::describe).toArray(MBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  private static MBeanAttributeInfo describe(RuntimeMetric metric) {
    return new MBeanAttributeInfo(metric.name(), "long", metric.description(), true, false, false);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    RuntimeMetric metric = metrics.get(name);
    if (metric == null) {
      throw new AttributeNotFoundException("there is no " + name + ", but " + metrics.keySet());
    }
    return metric.value();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList found = new AttributeList();
    for (String name : names) {
      RuntimeMetric metric = metrics.get(name);
      if (metric != null) {
        found.add(new Attribute(name, metric.value()));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can only be read");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public @Nullable Object invoke(
      String action, Object @Nullable [] values, String @Nullable [] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action), "there is nothing to call");
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return info;
  }
}
