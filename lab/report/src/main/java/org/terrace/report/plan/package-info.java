/** A plan as a page and as a file: what {@code terrace plan} leaves. */
package org.terrace.report.plan;
