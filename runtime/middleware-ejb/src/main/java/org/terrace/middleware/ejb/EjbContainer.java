package org.terrace.middleware.ejb;

import jakarta.ejb.embeddable.EJBContainer;
import jakarta.security.jacc.PolicyConfigurationFactory;
import jakarta.security.jacc.PolicyContextException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.openejb.core.security.JaccProvider;
import org.apache.openejb.core.security.jacc.BasicJaccProvider;
import org.apache.openejb.jee.EjbJar;
import org.apache.openejb.jee.StatelessBean;
import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.MiddlewareUnavailableException;

/** The embedded container with its one bean. There is one of them in a program. */
final class EjbContainer implements Listener {
  private static final AtomicReference<@Nullable CallHandler> HANDLER = new AtomicReference<>();
  private static final String SERVER_THREADS = "200";
  private static final String POLICY_FACTORY =
      "jakarta.security.jacc.PolicyConfigurationFactory.provider";

  private final EJBContainer container;
  private final InetSocketAddress address;
  private final CallHandler handler;

  private EjbContainer(EJBContainer container, InetSocketAddress address, CallHandler handler) {
    this.container = container;
    this.address = address;
    this.handler = handler;
  }

  static @Nullable CallHandler handler() {
    return HANDLER.get();
  }

  static EjbContainer open(InetSocketAddress wanted, CallHandler handler) throws IOException {
    AdmittedClasses.enforce();
    if (!HANDLER.compareAndSet(null, handler)) {
      throw new IOException(
          "an EJB container is open in this program already, and there can be one:"
              + " start the other replica as a process of its own");
    }
    EjbLogs.quieten();
    try {
      preparePolicies();
      InetSocketAddress address = free(wanted);
      return new EjbContainer(EJBContainer.createEJBContainer(settings(address)), address, handler);
    } catch (RuntimeException | LinkageError | ReflectiveOperationException e) {
      HANDLER.set(null);
      throw new MiddlewareUnavailableException("The middleware ejbd does not start: " + e, e);
    } catch (IOException e) {
      HANDLER.set(null);
      throw e;
    }
  }

  /** The factory of method permissions is found through the thread's class loader, once. */
  private static void preparePolicies() throws ReflectiveOperationException {
    if (System.getProperty(POLICY_FACTORY) == null) {
      System.setProperty(POLICY_FACTORY, JaccProvider.Factory.class.getName());
    }
    if (System.getProperty(JaccProvider.class.getName()) == null) {
      System.setProperty(JaccProvider.class.getName(), BasicJaccProvider.class.getName());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(JaccProvider.class.getClassLoader());
    try {
      Objects.requireNonNull(PolicyConfigurationFactory.getPolicyConfigurationFactory());
    } catch (PolicyContextException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** The container cannot be asked which port the system chose, so it is chosen before. */
  private static InetSocketAddress free(InetSocketAddress wanted) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(wanted);
      return new InetSocketAddress(wanted.getAddress(), probe.getLocalPort());
    } catch (IOException e) {
      throw new IOException("cannot listen at " + wanted + ": " + e.getMessage(), e);
    }
  }

  private static Properties settings(InetSocketAddress address) {
    EjbJar beans = new EjbJar("terrace");
    beans.addEnterpriseBean(new StatelessBean(CarrierBean.NAME, CarrierBean.class.getName()));
    Properties settings = new Properties();
    settings.put(EJBContainer.MODULES, beans);
    settings.put("openejb.embedded.remotable", "true");
    settings.put("openejb.deployments.classpath", "false");
    settings.put("openejb.logger.external", "true");
    settings.put("openejb.nobanner", "true");
    settings.put("openejb.cdi.activated", "false");
    settings.put("ejbd.bind", address.getAddress().getHostAddress());
    settings.put("ejbd.port", Integer.toString(address.getPort()));
    settings.put("ejbd.threads", SERVER_THREADS);
    settings.put("ejbds.disabled", "true");
    settings.put("admin.disabled", "true");
    settings.put("httpejbd.disabled", "true");
    settings.put(
        "NoSecurity", "new://SecurityService?class-name=" + NoSecurityService.class.getName());
    return settings;
  }

  @Override
  public Endpoint endpoint(String replica) {
    return new Endpoint(
        replica,
        EjbMiddleware.NAME,
        address.getAddress().getHostAddress(),
        address.getPort(),
        CarrierBean.JNDI_NAME);
  }

  @Override
  public void close() {
    if (HANDLER.compareAndSet(handler, null)) {
      container.close();
    }
  }
}
