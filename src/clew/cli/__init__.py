"""What people see: the command line, the live view, plots and exports."""
