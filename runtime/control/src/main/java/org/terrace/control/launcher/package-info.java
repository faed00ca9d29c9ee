/** Starting and ending the processes of replicas. */
package org.terrace.control.launcher;
